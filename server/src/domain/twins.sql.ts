import { sql } from 'kysely';
import type { MerchantTx, Tx } from '#db/database.ts';

/** Finds the test merchant of a live merchant that is in use. */
export async function findTwin(tx: Tx, liveId: bigint): Promise<{ id: bigint; code: string } | undefined> {
  const { rows } = await sql<{ id: bigint; code: string }>`
    select id, code from merchant where live_merchant_id = ${liveId} and retired_at is null`.execute(
    tx.query,
  );
  return rows[0];
}

/** Whether the merchant of the transaction is a test merchant. */
export async function isTestMerchant(tx: MerchantTx): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`select is_test_merchant(${tx.merchantId}) as is`.execute(
    tx.query,
  );
  return rows[0]?.is === true;
}

/** Reads the live merchant of the transaction's merchant, which is itself unless it is a test merchant. Limits that wiping must not reset count under it. */
export async function readOwnerOfLimits(tx: MerchantTx): Promise<bigint> {
  const { rows } = await sql<{ id: bigint }>`
    select coalesce(live_merchant_id, id) as id from merchant where id = ${tx.merchantId}`.execute(tx.query);
  return rows[0]?.id ?? tx.merchantId;
}
