import { asOwner } from '#db/owner.ts';

/** Counts the connections to a database that wait for a lock. */
export async function waitingForLocks(ownerUrl: string): Promise<number> {
  // A wait for another transaction names no database, and other tests use the same cluster: count the
  // processes that also hold locks in this database.
  const count = `select count(distinct w.pid)::integer as count from pg_locks w join pg_locks h using (pid)
    where not w.granted and h.database = (select oid from pg_database where datname = current_database())`;
  const { rows } = await asOwner(ownerUrl, (client) => client.query<{ count: number }>(count));
  return rows[0]?.count ?? 0;
}
