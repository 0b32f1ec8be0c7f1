import { asOwner } from '#db/owner.ts';

/** How many connections to a database wait for what another transaction has locked. */
export async function waitingForLocks(ownerUrl: string): Promise<number> {
  // Other tests of this cluster wait, too: whoever waits for a transaction of this database holds locks in it.
  const count = `select count(distinct w.pid)::integer as count from pg_locks w join pg_locks h using (pid)
    where not w.granted and h.database = (select oid from pg_database where datname = current_database())`;
  const { rows } = await asOwner(ownerUrl, (client) => client.query<{ count: number }>(count));
  return rows[0]?.count ?? 0;
}
