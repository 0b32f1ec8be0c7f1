import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';

/** Finds the merchants that may have days to close: the day before yesterday (UTC) is not closed yet. */
export async function findMerchantsToClose(tx: Tx): Promise<bigint[]> {
  const { rows } = await sql<{ id: bigint }>`
    select m.id from merchant m
    where m.retired_at is null and not exists (
      select from order_rollup_closing c
      where c.merchant_id = m.id and c.closed_through >= (now() at time zone 'UTC')::date - 2)
    order by m.id`.execute(tx.query);
  return rows.map(({ id }) => id);
}

/** Finds all merchants. */
export async function findMerchants(tx: Tx): Promise<bigint[]> {
  const { rows } = await sql<{ id: bigint }>`select id from merchant order by id`.execute(tx.query);
  return rows.map(({ id }) => id);
}

/** Folds the stripes of a merchant's recent buckets into one. */
export async function foldRollup(tx: Tx, merchantId: bigint): Promise<void> {
  await sql`select fold_rollup(${merchantId})`.execute(tx.query);
}

/** Stores the sums of a merchant's completed days. Returns how many rows of running sums were added. */
export async function closeDays(tx: Tx, merchantId: bigint): Promise<number> {
  const { rows } = await sql<{ closed: number }>`select close_rollup_days(${merchantId}) as closed`.execute(
    tx.query,
  );
  return rows[0]?.closed ?? 0;
}
