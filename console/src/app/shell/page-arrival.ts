import { useT } from '@hengfu/ui/language/i18n.ts';
import { useRouter } from '@tanstack/react-router';
import { type RefObject, useEffect } from 'react';
import { useDocumentTitle } from '../../platform/document-title.ts';
import { menu } from '../menu.ts';
import { distinctName } from '../menu-rules.ts';
import { usePlace } from './use-place.ts';

/** Titles the browser tab, and focuses the page after a navigation so that screen readers start there. */
export function PageArrival({ mainRef }: { mainRef: RefObject<HTMLElement | null> }): null {
  const t = useT();
  const router = useRouter();
  const place = usePlace();
  useDocumentTitle(place && distinctName(menu, place, t));
  useEffect(
    () =>
      router.subscribe('onResolved', ({ fromLocation, pathChanged }) => {
        const focused = document.activeElement;
        // Keep a focus that the new page set, or something that is open above it. A focused element of the previous page is
        // hidden by now.
        const isOnPage = (mainRef.current?.contains(focused) && focused?.checkVisibility()) ?? false;
        const hasOwnFocus = isOnPage || focused?.closest('[data-open]') != null;
        const isLost = focused === document.body;
        if (fromLocation && (pathChanged ? !hasOwnFocus : isLost))
          mainRef.current?.focus({ preventScroll: true });
      }),
    [router, mainRef],
  );
  return null;
}
