import { ApiError } from '@hengfu/client/api-error.ts';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { boot } from './boot.ts';
import { reactToFailure, type ShownInPlace } from './failures.ts';

declare module '@tanstack/react-query' {
  interface Register {
    /** `meta: { inPlace: … }` on a query or mutation: see {@link ShownInPlace}. */
    queryMeta: { inPlace?: ShownInPlace };
    mutationMeta: { inPlace?: ShownInPlace };
  }
}

/** Live events invalidate data; without one, data counts as fresh for this long. */
const staleTimeMs = 30_000;
const maxRetries = 2;

/** Whether to retry a read: yes if the server was unreachable or restarting; a refusal is final. */
function isWorthRetrying(failures: number, error: Error): boolean {
  if (failures >= maxRetries || !(error instanceof ApiError)) return false;
  return error.code === 'network' || error.status === 502 || error.status === 503 || error.status === 504;
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => reactToFailure(error, query.meta?.inPlace, query.state.data !== undefined),
  }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _result, mutation) => reactToFailure(error, mutation.meta?.inPlace),
  }),
  defaultOptions: {
    // The browser's "offline" refers to the internet; the server may be on the local network.
    queries: { staleTime: staleTimeMs, retry: isWorthRetrying, networkMode: 'always' },
    mutations: { retry: false, networkMode: 'always' },
  },
});

/** Query key that matches all pages of a list, for invalidation. */
export function listKey({ path }: { readonly path: string }): [string, 'list'] {
  return [path, 'list'];
}

/** Query key of one page of a list: the values of its path parameters, and of its query. */
export function pageKey(
  endpoint: { readonly path: string },
  params: QueryValues = {},
  query: QueryValues = {},
) {
  return [...listKey(endpoint), params, query] as const;
}

type QueryValues = Readonly<Record<string, string>>;

// Fills the cache from the boot data: the query key of a call without parameters is its path.
for (const [path, { data }] of Object.entries(boot?.replies ?? {})) queryClient.setQueryData([path], data);
for (const [path, rows] of Object.entries(boot?.lists ?? {}))
  queryClient.setQueryData(pageKey({ path }), rows);
