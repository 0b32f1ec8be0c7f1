import type pg from 'pg';
import { HostClient } from './hosts/host-client.ts';

/** How long a start, a migration or a command waits for a connection. Without it, they would hang if no database replies. */
export const connectTimeoutMs = 10_000;

/** Runs work as the owner of the database, on its own connection. */
export async function asOwner<T>(ownerUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new HostClient({ connectionString: ownerUrl, connectionTimeoutMillis: connectTimeoutMs });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Runs work under an advisory lock, so that only one process does so at a time. Waits without limit. */
export async function withAdvisoryLock<T>(
  ownerUrl: string,
  lock: number,
  work: () => Promise<T>,
): Promise<T> {
  return asOwner(ownerUrl, async (client) => {
    await client.query('select pg_advisory_lock($1)', [lock]);
    return work();
  });
}

/** Updates the planner's statistics, after a bulk write. */
export async function refreshStatistics(ownerUrl: string): Promise<void> {
  await asOwner(ownerUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
    );
    await client.query(`analyze ${rows.map(({ name }) => name).join(', ')}`);
  });
}
