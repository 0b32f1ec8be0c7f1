import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { usePageSearch } from '../../platform/page-place.ts';
import { changedSearch, openedSearch } from './list-search.ts';
import type { ChangeSearch, ListSearch } from './list-types.ts';

/** The page's address as a list reads and changes it: the one place that knows the router. */
export function useListSearch(prefix: string): {
  search: ListSearch;
  /** Changes the list's own parameters; the rows start over unless the change names the cursor. */
  change: ChangeSearch;
  /** Opens a row's detail, or closes it (undefined). `isStep`: from one detail to the next, which Back skips. */
  open: OpenRow;
} {
  const search: ListSearch = usePageSearch();
  const navigate = useNavigate();
  const go = useCallback(
    (next: (before: ListSearch) => ListSearch, replace = false) => {
      // Lists know their parameters from the contract, not from a route: the route's own check runs on them after.
      void navigate({ to: '.', search: next, replace, resetScroll: false } as Parameters<typeof navigate>[0]);
    },
    [navigate],
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
