import { useRouter } from '@tanstack/react-router';
import { type RefObject, useEffect } from 'react';
import { useDocumentTitle } from '../../platform/document-title.ts';
import { useT } from '../../platform/i18n.ts';
import { usePlace } from './use-place.ts';

/** Names the tab after the page, and after a navigation puts the focus on the page, so that reading goes on there. */
export function usePageArrival(mainRef: RefObject<HTMLElement | null>): void {
  const t = useT();
  const router = useRouter();
  const title = usePlace()?.page.title;
  useDocumentTitle(title && t(title));
  useEffect(
    () =>
      router.subscribe('onResolved', ({ fromLocation, pathChanged }) => {
        // A page that put the focus somewhere itself keeps it.
        const isTaken = mainRef.current?.contains(document.activeElement) ?? false;
        if (fromLocation && pathChanged && !isTaken) mainRef.current?.focus({ preventScroll: true });
      }),
    [router, mainRef],
  );
}
