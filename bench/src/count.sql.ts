import type { Database } from '@hengfu/server/db/database.ts';
import { asOwner } from '@hengfu/server/db/owner.ts';
import { sql } from 'kysely';

/** Counts the orders of all merchants, or the calls in the request log. */
export async function countOrders(
  database: Database,
  orders: 'collection' | 'payout' | 'api_request',
): Promise<number> {
  const { rows } = await database.asSystem((tx) =>
    sql<{ n: number }>`select count(*)::integer as n from ${sql.table(orders)}`.execute(tx.query),
  );
  return rows[0]?.n ?? 0;
}

/** Counts the queued jobs of a task. */
export async function countJobs(ownerUrl: string, task: string): Promise<number> {
  const count = 'select count(*)::integer as n from graphile_worker.jobs where task_identifier = $1';
  const { rows } = await asOwner(ownerUrl, (client) => client.query<{ n: number }>(count, [task]));
  return rows[0]?.n ?? 0;
}
