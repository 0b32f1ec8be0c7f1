import { useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { menu } from '../menu.ts';
import { placeOf } from '../menu-rules.ts';
import type { KeptPage } from './active-page.ts';

const pathOf = (pathname: string) => placeOf(menu, pathname)?.page.path ?? '';

/**
 * Restores the scroll position of a kept page. With a different address it starts at the top, as new pages
 * do.
 */
export function useScrollOf(pages: readonly KeptPage[], currentPath: string | undefined): void {
  const router = useRouter();
  const positions = useRef(new Map<string, { href: string; y: number }>());
  const restore = useEffectEvent(() => {
    const { href, pathname } = router.latestLocation;
    const saved = positions.current.get(pathOf(pathname));
    if (saved?.href === href && pages.some(({ path }) => path === pathOf(pathname))) scrollTo(0, saved.y);
  });
  useEffect(() => {
    const stopSaving = router.subscribe('onBeforeNavigate', ({ fromLocation }) => {
      if (fromLocation)
        positions.current.set(pathOf(fromLocation.pathname), { href: fromLocation.href, y: scrollY });
    });
    // The router scrolls to the top on every navigation, before or after the page shows: restore after
    // either.
    const stopRestoring = router.subscribe('onRendered', ({ pathChanged }) => pathChanged && restore());
    return () => {
      stopSaving();
      stopRestoring();
    };
  }, [router]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another page is on screen.
  useLayoutEffect(() => restore(), [currentPath]);
}
