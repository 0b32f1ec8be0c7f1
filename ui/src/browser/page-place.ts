import { useSearch } from '@tanstack/react-router';
import { createContext, use, useEffect } from 'react';

/** Search parameters as pages read them: plain text, validated by the page's route. */
export type PageSearch = Readonly<Record<string, string | undefined>>;

/** State of a page that stays mounted while others are on screen. */
export interface PagePlace {
  /** The page's own search parameters; while it is hidden, those it was left with. */
  search: PageSearch;
  /** Whether the page is on screen, by the address as it is now. */
  isShown(): boolean;
  /** Unmounts the page once the user leaves it. Returns the function that undoes this. */
  resetOnLeave(): () => void;
}

export const PagePlaceContext = createContext<PagePlace | undefined>(undefined);

/** The page's own search parameters, even while another page is on screen. */
export function usePageSearch(): PageSearch {
  const live: PageSearch = useSearch({ strict: false });
  return use(PagePlaceContext)?.search ?? live;
}

/** While the calling component is mounted (a confirmation), leaving the page resets it. */
export function useResetOnLeave(): void {
  const resetOnLeave = use(PagePlaceContext)?.resetOnLeave;
  useEffect(() => resetOnLeave?.(), [resetOnLeave]);
}
