import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';

/** The number of calls of one merchant from one address. */
export interface CallCount {
  merchantId: bigint;
  address: string;
  calls: number;
}

/** Adds to the counts of today (UTC). */
export async function addCallCounts(tx: Tx, counts: readonly CallCount[]): Promise<void> {
  const json = JSON.stringify(counts.map((count) => ({ ...count, merchantId: String(count.merchantId) })));
  await sql`
    insert into signed_call_count as c (merchant_id, day, address, calls)
    select g."merchantId", (now() at time zone 'UTC')::date, g.address, g.calls
    from jsonb_to_recordset(${json}::jsonb) as g ("merchantId" bigint, address inet, calls bigint)
    order by 1, 3
    on conflict (merchant_id, day, address) do update set calls = c.calls + excluded.calls`.execute(
    tx.prepared,
  );
}

/** Deletes counts of more than eight days ago. */
export async function deleteOldCallCounts(tx: Tx): Promise<void> {
  await tx.query
    .deleteFrom('signed_call_count')
    .where('day', '<', sql<Date>`(now() at time zone 'UTC')::date - 8`)
    .execute();
}
