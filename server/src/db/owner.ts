import pg from 'pg';

/** Does some work as the owner of the database, on a connection of its own. */
export async function asOwner<T>(ownerUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: ownerUrl });
  // A connection that breaks fails the statement under way; the event says the same again and would end the process.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
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
