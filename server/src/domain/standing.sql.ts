import { type StopEffect, type StoppableActivity, suspensionTable } from '@hengfu/contract/suspension';
import { type RawBuilder, sql } from 'kysely';
import { type MerchantTx, pipelined, type Tx } from '#db/database.ts';
import { databaseFault } from '#db/pool.ts';
import { Refusal } from './refusal.ts';

/** Locks a merchant's standing exclusively until the transaction ends. Whatever depends on it waits. */
export async function lockStanding(tx: Tx, merchantId: bigint): Promise<void> {
  await sql`select lock_standing(${merchantId}::bigint)`.execute(tx.query);
}

/**
 * Refuses an activity that the contract's table stops because the merchant, or the person who requests it, is
 * suspended. Neither can change until the transaction ends. Throws `merchant_suspended`, `unauthenticated`.
 */
export async function assertMayBegin(
  tx: MerchantTx,
  activity: StoppableActivity,
  userId?: bigint,
): Promise<void> {
  const party = await stoppedBy(tx, activity, userId);
  if (party === 'merchant') throw new Refusal('merchant_suspended');
  if (party === 'person') throw new Refusal('unauthenticated');
}

/** Whether something must not happen now because its merchant, or the person it belongs to, is suspended. */
export async function isStopped(
  tx: MerchantTx,
  activity: StoppableActivity,
  userId?: bigint,
): Promise<boolean> {
  return (await stoppedBy(tx, activity, userId)) !== undefined;
}

/**
 * A condition for statements that must not wait: as far as the statement sees, the merchant is not suspended.
 * Anything written at the same instant as the suspension counts as before it.
 */
export function mayBegin(tx: MerchantTx, activity: StoppableActivity): RawBuilder<boolean> {
  if (!isStopping(suspensionTable[activity].merchant)) return sql<boolean>`true`;
  return sql<boolean>`exists (select from merchant where id = ${tx.merchantId}::bigint and suspended_at is null)`;
}

/** Refuses what {@link mayBegin} excludes. Waits for nothing, and nothing waits for it. Throws `merchant_suspended`. */
export async function assertActive(tx: MerchantTx, activity: StoppableActivity): Promise<void> {
  const { rows } = await sql<{ may: boolean }>`select ${mayBegin(tx, activity)} as may`.execute(tx.query);
  if (!rows[0]?.may) throw new Refusal('merchant_suspended');
}

const heldBy: ReadonlySet<string> = new Set(['payout_of_active_merchant', 'payout_is_approved']);

/** Whether the database refused to send a payout because its merchant is suspended, or because it is not approved. */
export function isHeldPayout(error: unknown): boolean {
  return heldBy.has(databaseFault(error)?.constraint ?? '');
}

const isStopping = (effect: StopEffect) => effect !== 'continues' && effect !== 'none';

/** Returns whose suspension stops an activity. Neither can change until the transaction ends. */
async function stoppedBy(
  tx: MerchantTx,
  activity: StoppableActivity,
  userId: bigint | undefined,
): Promise<'merchant' | 'person' | undefined> {
  const [{ rows: standing }, user] = await pipelined([
    sql<{ held: boolean }>`select hold_standing(${tx.merchantId}::bigint) as held`.execute(tx.prepared),
    // Runs after the lock, so it sees a suspension that the lock waited for.
    readDisabledAt(tx, userId),
  ]);
  const { merchant, person } = suspensionTable[activity];
  if (standing[0]?.held !== false && isStopping(merchant)) return 'merchant';
  return userId !== undefined && user?.disabled_at !== null && isStopping(person) ? 'person' : undefined;
}

async function readDisabledAt(
  tx: MerchantTx,
  userId: bigint | undefined,
): Promise<{ disabled_at: Date | null } | undefined> {
  if (userId === undefined) return undefined;
  return tx.prepared
    .selectFrom('membership as p')
    .innerJoin('app_user as u', 'u.id', 'p.user_id')
    .select(sql<Date | null>`coalesce(u.disabled_at, p.disabled_at)`.as('disabled_at'))
    .where('p.merchant_id', '=', tx.merchantId)
    .where('p.user_id', '=', userId)
    .executeTakeFirst();
}
