import type { Currency } from '@hengfu/contract/money';
import type { LimitName } from '@hengfu/contract/staff/limits';
import { sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';
import { Refusal } from './refusal.ts';

/** Creates the refusal of what is above a limit of its merchant. */
export function limitExceeded(limit: LimitName): Refusal {
  return new Refusal('limit_exceeded', { details: { limit } });
}

/** Whether an amount is above the limit for one collection of the transaction's merchant. */
export async function isAboveCollectionLimit(tx: MerchantTx, amountMinor: bigint): Promise<boolean> {
  const { rows } = await sql`
    select from merchant where id = ${tx.merchantId} and collection_limit_minor < ${amountMinor}`.execute(
    tx.query,
  );
  return rows.length > 0;
}

/** Refuses a collection that is above the limit of the transaction's merchant. Throws `limit_exceeded`. */
export async function assertCollectionWithinLimit(tx: MerchantTx, amountMinor: bigint): Promise<void> {
  if (await isAboveCollectionLimit(tx, amountMinor)) throw limitExceeded('collection');
}

/**
 * Refuses a withdrawal that exceeds what the merchant's limit of a day leaves, in a transaction that serializes the merchant's withdrawals.
 * Throws `limit_exceeded`.
 */
export async function assertWithdrawalWithinLimit(
  tx: MerchantTx,
  { currency, amountMinor }: { currency: Currency; amountMinor: bigint },
): Promise<void> {
  const { rows } = await sql`
    select from merchant m
    where m.id = ${tx.merchantId} and m.withdrawal_day_limit_minor < ${amountMinor}::bigint + (
      select coalesce(sum(w.amount_minor), 0) from withdrawal w
      where w.merchant_id = m.id and w.currency = ${currency} and w.status <> 'rejected'
        and w.created_at >= date_trunc('day', now() at time zone m.zone) at time zone m.zone)`.execute(
    tx.query,
  );
  if (rows.length > 0) throw limitExceeded('withdrawalsOfDay');
}
