import { sql } from 'kysely';
import type { MerchantTx, Tx } from '#db/database.ts';

/** Failures in a row after which a target is left alone for a while. */
const failuresToOpen = 5;
const firstOpenSeconds = 5;
const longestOpenSeconds = 60;

/**
 * Counts a call of a merchant's that a target did not answer. From the fifth in a row on, that merchant's jobs for the
 * target wait, at first 5 seconds and then longer, a minute at most; after each wait a single job tries (`isTrial`). What
 * fails beside it was begun before, and lengthens nothing. Returns whether the jobs wait now.
 */
export async function noteFailure(
  tx: MerchantTx,
  target: string,
  { isTrial }: { isTrial: boolean },
): Promise<boolean> {
  const { rows } = await sql<{ isOpen: boolean }>`
    insert into merchant_breaker as b (merchant_id, target, failures) values (${tx.merchantId}, ${target}, 1)
    on conflict (merchant_id, target) do update set
      failed_at = now(),
      failures = case when b.open_until is null or ${isTrial} then least(b.failures + 1, 1000) else b.failures end,
      open_until = case
        when b.open_until is not null and not ${isTrial} then b.open_until
        when b.failures + 1 >= ${failuresToOpen}::integer then now() + interval '1 second' * least(
          ${longestOpenSeconds}::integer,
          ${firstOpenSeconds}::integer * 2 ^ least(b.failures + 1 - ${failuresToOpen}::integer, 16)) end
    returning open_until is not null as "isOpen"`.execute(tx.prepared);
  return rows[0]?.isOpen ?? false;
}

/** Forgets the failures of a target that has answered: its jobs go on. */
export async function forgetFailures(tx: MerchantTx, target: string): Promise<void> {
  await tx.prepared
    .deleteFrom('merchant_breaker')
    .where('merchant_id', '=', tx.merchantId)
    .where('target', '=', target)
    .execute();
}

/** Forgets targets that nobody has called for a week. */
export async function deleteOldBreakers(tx: Tx): Promise<void> {
  await tx.query
    .deleteFrom('merchant_breaker')
    .where('failed_at', '<', sql<Date>`now() - interval '7 days'`)
    .execute();
}
