import { useNavigate } from '@tanstack/react-router';
import { use, useCallback } from 'react';
import { PagePlaceContext, usePageSearch } from '../browser/page-place.ts';
import { changedSearch, openedSearch } from './list-search.ts';
import type { ChangeSearch, ListSearch } from './list-types.ts';

/** Reads and changes a list's search parameters. The only part of the list that uses the router. */
export function useListSearch(prefix: string): {
  search: ListSearch;
  /** Changes the list's own parameters; returns to the first page unless the change names the cursor. */
  change: ChangeSearch;
  /**
   * Opens a row's detail, or closes it (undefined). `isStep`: replaces the history entry of another detail.
   */
  open: OpenRow;
} {
  const search: ListSearch = usePageSearch();
  const place = use(PagePlaceContext);
  const navigate = useNavigate();
  const go = useCallback(
    (next: (before: ListSearch) => ListSearch, replace = false) => {
      // A field that loses the focus as its page is left does not change the address of the next page.
      if (place && !place.isShown()) return;
      // The parameters are typed by the contract, not by a route; the route's validation still applies.
      void navigate({ to: '.', search: next, replace, resetScroll: false } as Parameters<typeof navigate>[0]);
    },
    [navigate, place],
  );
  const change = useCallback<ChangeSearch>(
    (changes) => go((before) => changedSearch(before, changes, prefix)),
    [go, prefix],
  );
  const open = useCallback<OpenRow>((key, isStep) => go((before) => openedSearch(before, key), isStep), [go]);
  return { search, change, open };
}

/** Opens the detail of the row with that key; undefined closes it. */
export type OpenRow = (key: string | undefined, isStep?: boolean) => void;
