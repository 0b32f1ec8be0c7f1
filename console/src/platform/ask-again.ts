import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Asks again for the queries under a key, or for those of them that `predicate` names. An answer that is on its way
 * for the first time may be from before what changed, and is not interrupted: it is asked for once more when it came.
 */
export function askAgain(
  client: QueryClient,
  queryKey: QueryKey,
  predicate: (query: Query) => boolean = () => true,
): void {
  const first = client
    .getQueryCache()
    .findAll({ queryKey, predicate, fetchStatus: 'fetching' })
    .filter(({ state }) => state.data === undefined);
  const asked = client.invalidateQueries({ queryKey, predicate });
  for (const query of first) void asked.then(() => repeat(client, query));
}

async function repeat(client: QueryClient, { queryKey, state }: Query): Promise<void> {
  if (state.status === 'success') await client.invalidateQueries({ queryKey, exact: true });
}
