import { useLocation } from '@tanstack/react-router';
import { menu } from '../menu.ts';
import { type Place, placeOf } from '../menu-rules.ts';

/** The current page and its group; undefined on a page outside the menu (an error page). */
export function usePlace(): Place | undefined {
  const pathname = useLocation({ select: (location) => location.pathname });
  return placeOf(menu, pathname);
}
