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
 * Retires the test merchant of the transaction: it stays suspended forever, none of its keys signs anything any more, no job of it
 * begins, and its callbacks are given up. Returns false if it is retired already.
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
  // Jobs that are still delayed end when they are due (gather_merchant_jobs).
  await sql`delete from merchant_job where merchant_id = ${tx.merchantId} and worker is null`.execute(
    tx.query,
  );
  await sql`update callback_message set given_up_at = now()
    where merchant_id = ${tx.merchantId} and delivered_at is null and given_up_at is null`.execute(tx.query);
  return true;
}

/** Keeps the test merchant of a live merchant as it is until the transaction ends: it is neither opened nor changed meanwhile. */
export async function holdTwin(tx: Tx, liveId: bigint): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('twin ' || ${liveId}::bigint, 0))`.execute(
    tx.query,
  );
}

/**
 * Makes the sessions of the transaction's retired test merchant work for the one that follows it, and ends those of people who do not
 * work there.
 */
export async function moveSessions(tx: MerchantTx, to: bigint): Promise<void> {
  const { merchantId: from } = tx;
  const members = await sql<{ id: bigint }>`
    select user_id as id from membership where merchant_id = ${to} and disabled_at is null`.execute(tx.query);
  const ids = members.rows.map(({ id }) => id);
  const moved = await sql<{ userId: bigint }>`
    update session set merchant_id = ${to}, password_confirmed_at = null, passkey_shown_at = null
    where merchant_id = ${from} and user_id = any(${ids}::bigint[]) returning user_id as "userId"`.execute(
    tx.query,
  );
  const ended = await sql<{ userId: bigint }>`
    delete from session where merchant_id = ${from} returning user_id as "userId"`.execute(tx.query);
  for (const { userId } of [...moved.rows, ...ended.rows]) tx.changed(from, `sessions:${userId}`);
}
