import type { Currency } from '@hengfu/contract/money';
import { sql } from 'kysely';
import type { MerchantTx, Tx } from '#db/database.ts';

/** A person as found by email address. */
export interface FoundPerson {
  id: bigint;
  email: string;
  /** All merchants that the person works for, in the order in which they are locked. */
  merchantIds: bigint[];
}

/** Finds the person with an email address, which must be lower-cased. */
export async function findPerson(tx: Tx, email: string): Promise<FoundPerson | undefined> {
  const { rows } = await sql<FoundPerson>`
    select u.id, u.email,
      coalesce(array_agg(p.merchant_id order by p.merchant_id) filter (where p.merchant_id is not null), '{}') as "merchantIds"
    from app_user u
    left join (membership p join merchant m on m.id = p.merchant_id and m.mode = 'live') on p.user_id = u.id and p.removed_at is null
    where u.email = ${email} group by u.id`.execute(tx.query);
  return rows[0];
}

/** Suspends or reactivates a person; returns false if nothing changed. */
export async function updatePerson(tx: Tx, { id }: FoundPerson, isSuspended: boolean): Promise<boolean> {
  const result = await tx.query
    .updateTable('app_user')
    .set({ disabled_at: isSuspended ? sql<Date>`now()` : null })
    .where('id', '=', id)
    .where('disabled_at', isSuspended ? 'is' : 'is not', null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Deletes a person's unlock code, which would open the account. */
export async function deleteUnlockCode(tx: Tx, { id }: FoundPerson): Promise<void> {
  await tx.query.deleteFrom('unlock_code').where('user_id', '=', id).execute();
}

/** Suspends a merchant, or reactivates it (`by` is absent); returns false if nothing changed. */
export async function updateMerchant(
  tx: Tx,
  merchantId: bigint,
  by?: { actor: string; reason: string },
): Promise<boolean> {
  const isSuspended = by !== undefined;
  const result = await tx.query
    .updateTable('merchant')
    .set({
      suspended_at: isSuspended ? sql<Date>`now()` : null,
      suspension_reason: by?.reason ?? null,
      suspended_by: by?.actor ?? null,
    })
    .where('id', '=', merchantId)
    .where('suspended_at', isSuspended ? 'is' : 'is not', null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Reads when and why a merchant was suspended; undefined while it is active. */
export async function readSuspension(tx: MerchantTx): Promise<{ at: Date; reason: string } | undefined> {
  const { rows } = await sql<{ at: Date; reason: string }>`
    select suspended_at as at, coalesce(suspension_reason, '') as reason from merchant
    where id = ${tx.merchantId} and suspended_at is not null`.execute(tx.query);
  return rows[0];
}

/** Lists the people of a merchant who are signed in or about to be. */
export async function listSignedIn(tx: Tx, merchantId: bigint): Promise<bigint[]> {
  const { rows } = await sql<{ id: bigint }>`
    select user_id as id from session where merchant_id = any (with_twin(${merchantId}))
    union select p.user_id from pending_sign_in p join membership m on m.user_id = p.user_id
      where m.merchant_id = ${merchantId} order by 1`.execute(tx.query);
  return rows.map(({ id }) => id);
}

/**
 * A merchant's suspension status, and what waits for its reactivation. Amounts in minor units of its
 * currency.
 */
export interface MerchantStanding {
  code: string;
  name: string;
  currency: Currency;
  zone: string;
  suspendedAt: Date | null;
  /** Why and by whom it was suspended; null while it is active. */
  reason: string | null;
  suspendedBy: string | null;
  unsentPayouts: number;
  unsentAmountMinor: bigint;
  openBatches: number;
}

/** Reads a merchant's suspension status. */
export async function readStanding(tx: Tx, merchantId: bigint): Promise<MerchantStanding | undefined> {
  const { rows } = await sql<MerchantStanding>`
    select m.code, m.name, m.home_currency as currency, m.zone, m.suspended_at as "suspendedAt",
      m.suspension_reason as reason, m.suspended_by as "suspendedBy",
      p.payouts as "unsentPayouts", p.amount as "unsentAmountMinor",
      (select count(*)::integer from payout_batch b where b.merchant_id = m.id and b.finished_at is null) as "openBatches"
    from merchant m
    cross join lateral (
      select count(*)::integer as payouts, coalesce(sum(amount_minor), 0)::bigint as amount from payout
      where merchant_id = m.id and status = 'pending') p
    where m.id = ${merchantId}`.execute(tx.query);
  return rows[0];
}
