import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Invalidates the queries under a key, optionally filtered by `predicate`. TanStack Query does not interrupt
 * a first fetch, whose answer may predate the change, so such a query is fetched once more when it completes.
 */
export function askAgain(
  client: QueryClient,
  queryKey: QueryKey,
  predicate: (query: Query) => boolean = () => true,
): void {
  const firstFetches = client
    .getQueryCache()
    .findAll({ queryKey, predicate, fetchStatus: 'fetching' })
    .filter(({ state }) => state.data === undefined);
  const settled = client.invalidateQueries({ queryKey, predicate });
  for (const query of firstFetches) void settled.then(() => repeat(client, query));
}

async function repeat(client: QueryClient, { queryKey, state }: Query): Promise<void> {
  if (state.status === 'success') await client.invalidateQueries({ queryKey, exact: true });
}
