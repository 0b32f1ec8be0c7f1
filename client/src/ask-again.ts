import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Invalidates the queries under a key, optionally filtered by `predicate`. A fetch that is under way completes, because changes may
 * follow each other faster than replies arrive; its reply may predate the change, so such a query is fetched once more then.
 */
export function askAgain(
  client: QueryClient,
  queryKey: QueryKey,
  predicate: (query: Query) => boolean = () => true,
): void {
  const underWay = client.getQueryCache().findAll({ queryKey, predicate, fetchStatus: 'fetching' });
  const settled = client.invalidateQueries({ queryKey, predicate }, { cancelRefetch: false });
  for (const query of underWay) if (!repeated.has(query)) void settled.then(() => repeat(client, query));
  for (const query of underWay) repeated.add(query);
}

/** Queries that are fetched once more when the fetch that is under way completes. */
const repeated = new WeakSet<Query>();

async function repeat(client: QueryClient, query: Query): Promise<void> {
  repeated.delete(query);
  const { queryKey, state } = query;
  if (state.status === 'success')
    await client.invalidateQueries({ queryKey, exact: true }, { cancelRefetch: false });
}
