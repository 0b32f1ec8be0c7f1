import { shownInPlace } from '@hengfu/client/in-place.ts';
import type { EndpointShape } from '@hengfu/contract/endpoint';
import { queryOf } from '@hengfu/ui/list/list-search.ts';
import type { QueryValues, SourceQuery } from '@hengfu/ui/list/list-source.ts';
import type { ListReply, ListSearch } from '@hengfu/ui/list/list-types.ts';
import type { QueryClient } from '@tanstack/react-query';
import type * as z from 'zod';
import { call } from '../../platform/http.ts';
import { pageKey } from '../../platform/query-client.ts';

/** An endpoint that returns pages of rows. */
export interface ListEndpoint<R> extends EndpointShape {
  readonly query: z.ZodObject;
  readonly reply: z.ZodType<ListReply<R>>;
}

/** Path parameters of an endpoint. */
export type PathParams = Readonly<Record<string, string>>;

/** The query of the page that valid parameters select. Failures are shown inline, without an alert. */
export function pageQuery<R>(
  endpoint: ListEndpoint<R>,
  query: QueryValues,
  params?: PathParams,
): SourceQuery<ListReply<R>> {
  return {
    queryKey: pageKey(endpoint, params, query),
    queryFn: ({ signal }) => call(endpoint, { ...(params && { params }), query, signal }),
    meta: { inPlace: shownInPlace },
  };
}

/** The query of the page that an address selects. */
export function listOptions<R>(
  endpoint: ListEndpoint<R>,
  search: ListSearch,
  params?: PathParams,
): SourceQuery<ListReply<R>> {
  return pageQuery(endpoint, queryOf(endpoint.query, search), params);
}

/** Prefetches a page without waiting for it, for route loaders. */
export function prefetchList<R>(client: QueryClient, endpoint: ListEndpoint<R>, search: ListSearch): void {
  void client.prefetchQuery(listOptions(endpoint, search));
}
