import { useSearch } from '@tanstack/react-router';
import { createContext, use, useEffect } from 'react';

/** Address parameters as pages read them: plain text, checked by the page's route. */
export type PageSearch = Readonly<Record<string, string | undefined>>;

/** A page that is kept while others are on screen, as the page itself sees it. */
export interface PagePlace {
  /** The address parameters of the page: while it is away, those it was left with. */
  search: PageSearch;
  /** Has the page mounted anew when the reader comes back, unless the returned function takes that back. */
  forgetWhenLeft(): () => void;
}

export const PagePlaceContext = createContext<PagePlace | undefined>(undefined);

/** The page's own address parameters: never those of the page that took its place on screen. */
export function usePageSearch(): PageSearch {
  const live: PageSearch = useSearch({ strict: false });
  return use(PagePlaceContext)?.search ?? live;
}

/** For a part that says that something is done: while it shows, the page starts anew once the reader has left it. */
export function useForgottenWhenLeft(): void {
  const forgetWhenLeft = use(PagePlaceContext)?.forgetWhenLeft;
  useEffect(() => forgetWhenLeft?.(), [forgetWhenLeft]);
}
