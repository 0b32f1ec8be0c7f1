import { sql } from 'kysely';
import type { MerchantTx, Tx } from '#db/database.ts';

/** Consecutive failures that open a target's circuit breaker. */
const failuresToOpen = 5;
const firstOpenSeconds = 5;
const longestOpenSeconds = 60;

/**
 * Counts a merchant's call that a target did not answer. The fifth consecutive failure opens the circuit
 * breaker: that merchant's jobs for the target wait, 5 seconds at first, with backoff up to a minute. After
 * each wait a single job runs as a trial (`isTrial`). Failures of other jobs, which began earlier, do not
 * extend the wait. Returns whether the breaker is open.
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

/** Closes the circuit breaker of a target that has answered. */
export async function forgetFailures(tx: MerchantTx, target: string): Promise<void> {
  await tx.prepared
    .deleteFrom('merchant_breaker')
    .where('merchant_id', '=', tx.merchantId)
    .where('target', '=', target)
    .execute();
}

/** Deletes circuit breakers whose last failure was a week ago. */
export async function deleteOldBreakers(tx: Tx): Promise<void> {
  await tx.query
    .deleteFrom('merchant_breaker')
    .where('failed_at', '<', sql<Date>`now() - interval '7 days'`)
    .execute();
}
