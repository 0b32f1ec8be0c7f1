import { type Quota, quotas } from '@hengfu/contract/quotas';
import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import { Refusal } from './refusal.ts';

/**
 * Makes counting and inserting atomic: until the transaction ends, no other transaction counts under the same
 * name. Every limit of the form "count, then insert" uses it, or locks its owner's row for the same purpose.
 */
export async function holdCount(tx: Tx, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`count ${name}`}, 0))`.execute(tx.prepared);
}

/**
 * Asserts that an owner (a merchant, a user) may have one more of something. What the same transaction
 * inserts counts for the next one. Throws `quota_reached`.
 */
export async function assertWithinQuota(
  tx: Tx,
  quota: Quota,
  owner: bigint,
  count: () => Promise<number>,
): Promise<void> {
  const assertFree = async () => {
    if ((await count()) >= quotas[quota]) throw quotaReached(quota);
  };
  // A flood beyond the quota is refused before it waits for the lock, so it occupies no connections.
  await assertFree();
  await holdCount(tx, `${quota} ${owner}`);
  await assertFree();
}

/**
 * Creates the refusal of what exceeds a quota. `retryAfterSeconds`: if something that counts is likely to end
 * soon.
 */
export function quotaReached(quota: Quota, retryAfterSeconds?: number): Refusal {
  const limit = quotas[quota];
  return new Refusal('quota_reached', {
    values: { limit, what: `quotas.${quota}` },
    details: { quota, limit },
    limit,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}
