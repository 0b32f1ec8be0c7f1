import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { type HeldPage, holdPage } from './held-page.ts';
import { openKeyOf } from './list-address.ts';
import { prefixOf, queryOf } from './list-search.ts';
import type { ListSource } from './list-source.ts';
import type { ChangeSearch, ListSearch } from './list-types.ts';
import { type OpenRow, useListSearch } from './use-search.ts';

interface ListOptions<R> {
  source: ListSource<R>;
  rowKey: (row: R) => string;
  /** For a list inside a detail: prefix of its search parameters. */
  nested: string | undefined;
}

/** The state of a list: its search parameters and rows, and functions that change them. */
export interface ListState<R> {
  /** The list's own search parameters, validated. */
  search: ListSearch;
  /** The row whose detail is open. */
  openKey: string | undefined;
  change: ChangeSearch;
  open: OpenRow;
  held: HeldPage<R>;
  error: Error | null;
  /** Rows of the previous query stay on screen until the requested ones arrive. */
  isStale: boolean;
  isFetching: boolean;
  /** Refetches, and shows the result even if rows move. */
  refresh: () => Promise<void>;
  /** Shows the rows that were held back. */
  showNewest: () => void;
  /** Sets whether the user is at the top of the rows, where rows may be added and removed. */
  setAtTop: (isAtTop: boolean) => void;
}

/** Connects a list's address and its rows. */
export function useList<R>({ source, rowKey, nested }: ListOptions<R>): ListState<R> {
  const prefix = prefixOf(nested);
  const { search: address, change, open } = useListSearch(prefix);
  const search = useMemo(() => queryOf(source.query, address, nested), [source, address, nested]);
  const client = useQueryClient();
  const options = source.page(search);
  const query = useQuery({ ...options, placeholderData: keepPreviousData });

  const [isAtTop, setAtTop] = useState(true);
  const [refreshes, setRefreshes] = useState(0);
  // Placeholder data is the previous page's reply, so it keeps that page's id.
  const position = JSON.stringify([options.queryKey, refreshes]);
  const [heldPosition, setHeldPosition] = useState(position);
  const pageId = query.isPlaceholderData ? heldPosition : position;
  const [held, setHeld] = useState<HeldPage<R>>(emptyPage);
  if (held.source !== query.data || held.pageId !== pageId) {
    // Set while rendering, so that no frame shows rows that the next one moves.
    const isFirst = search.cursor === undefined;
    setHeldPosition(pageId);
    setHeld(holdPage(held, query.data, pageId, isFirst && isAtTop, rowKey));
  }
  // Changing the position makes the current reply replace the held rows.
  const showNewest = () => setRefreshes((count) => count + 1);
  const refresh = async () => {
    await client.invalidateQueries({ queryKey: source.key });
    showNewest();
  };
  return {
    search,
    openKey: nested === undefined ? openKeyOf(address) : undefined,
    change,
    open,
    held,
    error: query.error,
    isStale: query.isPlaceholderData,
    isFetching: query.isFetching,
    refresh,
    showNewest,
    setAtTop,
  };
}

const emptyPage: HeldPage<never> = {
  source: undefined,
  pageId: '',
  page: undefined,
  changes: new Map(),
  isOutdated: false,
};
