import type { QueryClient } from '@tanstack/react-query';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../platform/http.ts';
import { shownInPlace } from '../../platform/in-place.ts';
import { queryOf } from './list-search.ts';
import type { ListEndpoint, ListReply, ListSearch, PathParams } from './list-types.ts';

/** Query key that matches all pages of a list, for invalidation. */
export function listKey(endpoint: { readonly path: string }): [string, 'list'] {
  return [endpoint.path, 'list'];
}

/**
 * Query options for the page that the search parameters select. Failures are shown inline, without an alert.
 */
export function listOptions<R>(
  endpoint: ListEndpoint<R>,
  search: ListSearch,
  params?: PathParams,
  nested?: string,
) {
  const query = queryOf(endpoint.query, search, nested);
  return queryOptions({
    queryKey: [...listKey(endpoint), params ?? {}, query] as const,
    queryFn: ({ signal }): Promise<ListReply<R>> =>
      call(endpoint, { ...(params && { params }), query, signal }),
    meta: { inPlace: shownInPlace },
  });
}

/** Prefetches a page without waiting for it, for route loaders. */
export function prefetchList<R>(client: QueryClient, endpoint: ListEndpoint<R>, search: ListSearch): void {
  void client.prefetchQuery(listOptions(endpoint, search));
}
