import { useEffect } from 'react';
import { productTitle } from './boot.ts';

/** Sets the title of the browser tab to the page's name and the product's. */
export function useDocumentTitle(page: string | undefined): void {
  useEffect(() => {
    document.title = page ? `${page} · ${productTitle}` : productTitle;
  }, [page]);
}
