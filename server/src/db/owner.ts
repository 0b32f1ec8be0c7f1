import pg from 'pg';

/** Who starts where no database answers should be told so, and not wait for ever. */
const connectTimeoutMs = 10_000;

/** Does some work as the owner of the database, on a connection of its own. */
export async function asOwner<T>(ownerUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: ownerUrl, connectionTimeoutMillis: connectTimeoutMs });
  // A connection that breaks fails the statement under way; the event says the same again and would end the process.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Does some work while no other process does any under the same number; waits as long as it takes. */
export async function oneAtATime<T>(ownerUrl: string, lock: number, work: () => Promise<T>): Promise<T> {
  return asOwner(ownerUrl, async (client) => {
    await client.query('select pg_advisory_lock($1)', [lock]);
    return work();
  });
}

/** Lets the planner know what the tables hold, after much was written at once. */
export async function refreshStatistics(ownerUrl: string): Promise<void> {
  await asOwner(ownerUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
    );
    await client.query(`analyze ${rows.map(({ name }) => name).join(', ')}`);
  });
}
