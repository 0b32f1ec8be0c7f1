import { useEffect } from 'react';
import { productTitle } from './boot.ts';

/** Names the browser tab after what is on screen. */
export function useDocumentTitle(page: string | undefined): void {
  useEffect(() => {
    document.title = page ? `${page} · ${productTitle}` : productTitle;
  }, [page]);
}
