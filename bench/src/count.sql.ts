import type { Database } from '@hengfu/server/db/database.ts';
import { asOwner } from '@hengfu/server/db/owner.ts';
import { sql } from 'kysely';

/** Counts the orders of all merchants. */
export async function countOrders(database: Database, orders: 'collection' | 'payout'): Promise<number> {
  const { rows } = await database.asSystem((tx) =>
    sql<{ n: number }>`select count(*)::integer as n from ${sql.table(orders)}`.execute(tx.query),
  );
  return rows[0]?.n ?? 0;
}

/** Counts the calls in the request log, those in blocks included. */
export async function countLoggedCalls(database: Database): Promise<number> {
  const { rows } = await database.asSystem((tx) =>
    sql<{ n: number }>`
      select (select count(*) from api_request)::integer + (select coalesce(sum(calls), 0) from api_request_block)::integer as n`.execute(
      tx.query,
    ),
  );
  return rows[0]?.n ?? 0;
}

/** Counts the queued jobs of a task. */
export async function countJobs(ownerUrl: string, task: string): Promise<number> {
  const count = 'select count(*)::integer as n from graphile_worker.jobs where task_identifier = $1';
  const { rows } = await asOwner(ownerUrl, (client) => client.query<{ n: number }>(count, [task]));
  return rows[0]?.n ?? 0;
}
