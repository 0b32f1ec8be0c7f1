import { useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { menu } from '../menu.ts';
import { placeOf } from '../menu-rules.ts';
import type { KeptPage } from './active-page.ts';

const pathOf = (pathname: string) => placeOf(menu, pathname)?.page.path ?? '';

/** A page that was kept comes back where it was scrolled to; with another address it starts at the top, as new pages do. */
export function useScrollOf(pages: readonly KeptPage[], here: string | undefined): void {
  const router = useRouter();
  const places = useRef(new Map<string, { href: string; y: number }>());
  const restore = useEffectEvent(() => {
    const { href, pathname } = router.latestLocation;
    const place = places.current.get(pathOf(pathname));
    if (place?.href === href && pages.some(({ path }) => path === pathOf(pathname))) scrollTo(0, place.y);
  });
  useEffect(() => {
    const leaving = router.subscribe('onBeforeNavigate', ({ fromLocation }) => {
      if (fromLocation)
        places.current.set(pathOf(fromLocation.pathname), { href: fromLocation.href, y: scrollY });
    });
    // The router leads every navigation to the top, before or after the page is on screen: whichever comes last counts.
    const arriving = router.subscribe('onRendered', ({ pathChanged }) => pathChanged && restore());
    return () => {
      leaving();
      arriving();
    };
  }, [router]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the page on screen is another one.
  useLayoutEffect(() => restore(), [here]);
}
