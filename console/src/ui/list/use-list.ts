import type { Topic } from '@hengfu/contract/events';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useLive } from '../../platform/live.ts';
import { type HeldPage, holdPage } from './held-page.ts';
import { openKeyOf } from './list-address.ts';
import { listKey, listOptions } from './list-query.ts';
import { prefixOf, queryOf } from './list-search.ts';
import type { ChangeSearch, ListEndpoint, ListSearch, PathParams } from './list-types.ts';
import { type OpenRow, useListSearch } from './use-search.ts';

/** What makes a list: where its rows come from. */
export interface ListSource<R> {
  endpoint: ListEndpoint<R>;
  /** What goes into the endpoint's path. */
  params?: PathParams | undefined;
  rowKey: (row: R) => string;
  /** Live topics after which the rows may differ. */
  topics: readonly Topic[];
  /** Name of a list inside another page's detail: its position in the address stands under it. */
  nested?: string | undefined;
}

/** A list as it stands: its place in the address, its rows and what can be done with them. */
export interface ListState<R> {
  /** The list's own parameters, checked. */
  search: ListSearch;
  /** The row whose detail is open. */
  openKey: string | undefined;
  change: ChangeSearch;
  open: OpenRow;
  held: HeldPage<R>;
  error: Error | null;
  /** Rows of an earlier query are on screen until the asked ones come. */
  isStale: boolean;
  isFetching: boolean;
  /** Asks again, and shows what comes even if rows move. */
  refresh: () => Promise<void>;
  /** Shows the rows that wait. */
  showNewest: () => void;
  /** Tells whether rows may come and go: the reader is at the top of them. */
  setAtTop: (isAtTop: boolean) => void;
}

/** Ties address, query and live events of a list together. */
export function useList<R>({ endpoint, params, rowKey, topics, nested }: ListSource<R>): ListState<R> {
  const prefix = prefixOf(nested);
  const { search: address, change, open } = useListSearch(prefix);
  const search = useMemo(() => queryOf(endpoint.query, address, nested), [endpoint, address, nested]);
  const client = useQueryClient();
  const options = listOptions(endpoint, address, params, nested);
  const query = useQuery({ ...options, placeholderData: keepPreviousData });
  useLive(topics, listKey(endpoint));

  const [isAtTop, setAtTop] = useState(true);
  const [refreshes, setRefreshes] = useState(0);
  // A placeholder is an earlier page's reply: it stays on screen as that page.
  const position = JSON.stringify([params, search, refreshes]);
  const [heldPosition, setHeldPosition] = useState(position);
  const pageId = query.isPlaceholderData ? heldPosition : position;
  const [held, setHeld] = useState<HeldPage<R>>(emptyPage);
  if (held.source !== query.data || held.pageId !== pageId) {
    // Made while rendering, so that no frame shows rows that the next one moves.
    const isFirst = search.cursor === undefined;
    setHeldPosition(pageId);
    setHeld(holdPage(held, query.data, pageId, isFirst && isAtTop, rowKey));
  }
  // A new position takes the present reply as it is.
  const showNewest = () => setRefreshes((count) => count + 1);
  const refresh = async () => {
    await client.invalidateQueries({ queryKey: listKey(endpoint) });
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
