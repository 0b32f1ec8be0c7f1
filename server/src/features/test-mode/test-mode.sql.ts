import { sql } from 'kysely';
import type { MerchantTx, Tx } from '#db/database.ts';

/** Opens the test merchant of a live merchant, unless it has one. */
export async function openTwin(tx: Tx, liveId: bigint): Promise<void> {
  await sql`select open_twin(${liveId})`.execute(tx.query);
}

/** Finds the live merchant of the transaction's test merchant. */
export async function readLive(tx: MerchantTx): Promise<bigint | undefined> {
  const { rows } = await sql<{ id: bigint | null }>`
    select live_merchant_id as id from merchant where id = ${tx.merchantId}`.execute(tx.query);
  return rows[0]?.id ?? undefined;
}

/** Counts the test merchants of a live merchant that were retired within 24 hours. */
export async function countWipes(tx: Tx, liveId: bigint): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from merchant
    where live_merchant_id = ${liveId} and retired_at > now() - interval '24 hours'`.execute(tx.query);
  return rows[0]?.count ?? 0;
}

/**
 * Retires the test merchant of the transaction: it stays suspended forever, none of its keys signs anything any more, and no job of it
 * begins. Returns false if it is retired already.
 */
export async function retireTwin(tx: MerchantTx, by: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update merchant set retired_at = now(), suspended_at = coalesce(suspended_at, now()),
      suspension_reason = 'The test data was wiped.', suspended_by = ${by}
    where id = ${tx.merchantId} and mode = 'test' and retired_at is null`.execute(tx.query);
  if (numAffectedRows !== 1n) return false;
  await sql`update access_key set revoked_at = now() where merchant_id = ${tx.merchantId} and revoked_at is null`.execute(
    tx.query,
  );
  await sql`delete from merchant_job where merchant_id = ${tx.merchantId} and worker is null`.execute(
    tx.query,
  );
  return true;
}

/** Makes the sessions of a retired test merchant work for the transaction's, which follows it. */
export async function moveSessions(tx: MerchantTx, from: bigint): Promise<void> {
  const { rows } = await sql<{ userId: bigint }>`
    update session set merchant_id = ${tx.merchantId}, password_confirmed_at = null, passkey_shown_at = null
    where merchant_id = ${from} returning user_id as "userId"`.execute(tx.query);
  for (const { userId } of rows) tx.changed(from, `sessions:${userId}`);
}
