import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';

/** Queries that are fetched once more when the fetch that is under way completes. */
const repeated = new WeakSet<Query>();
/** Queries whose fetch has just begun, after the change: their replies have it. */
const begun = new Set<Query>();

/**
 * Invalidates the queries under a key, optionally filtered by `predicate`. A fetch that is under way completes, because changes may
 * follow each other faster than replies arrive; its reply may predate the change, so such a query is fetched once more then.
 */
export function askAgain(
  client: QueryClient,
  queryKey: QueryKey,
  predicate: (query: Query) => boolean = () => true,
): void {
  const fetching = () => client.getQueryCache().findAll({ queryKey, predicate, fetchStatus: 'fetching' });
  const underWay = new Set(fetching());
  void client.invalidateQueries({ queryKey, predicate }, { cancelRefetch: false });
  for (const query of fetching()) {
    if (!underWay.has(query)) begun.add(query);
    else if (!(begun.has(query) || repeated.has(query))) void fetchOnceMore(client, query);
  }
  // Listeners to one change are called in one go.
  queueMicrotask(() => begun.clear());
}

async function fetchOnceMore(client: QueryClient, query: Query): Promise<void> {
  repeated.add(query);
  await query.promise?.catch(() => undefined);
  repeated.delete(query);
  const { queryKey, state } = query;
  if (state.status === 'success')
    await client.invalidateQueries({ queryKey, exact: true }, { cancelRefetch: false });
}
