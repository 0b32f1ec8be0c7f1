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
        const focused = document.activeElement;
        // A page that put the focus somewhere itself keeps it; what is of a page that has just left is about to lose it.
        const isTaken = (mainRef.current?.contains(focused) && focused?.checkVisibility()) ?? false;
        const isLost = focused === document.body;
        if (fromLocation && (pathChanged ? !isTaken : isLost))
          mainRef.current?.focus({ preventScroll: true });
      }),
    [router, mainRef],
  );
}
