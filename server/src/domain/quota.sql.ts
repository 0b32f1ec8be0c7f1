import { type Quota, quotas } from '@hengfu/contract/quotas';
import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import { Refusal } from './refusal.ts';

/**
 * Makes counting and adding one step: until the transaction ends, nobody else counts under the same name. Every limit of
 * the form "count, then insert" goes through here, or holds its owner's row for the same purpose.
 */
export async function holdCount(tx: Tx, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`count ${name}`}, 0))`.execute(tx.prepared);
}

/**
 * Makes sure that an owner (a merchant, a user) may have one more of something; what is added in the same transaction is
 * counted by the next one. Throws `quota_reached`.
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
  // A flood beyond the quota is refused without waiting for the lock, and so without holding a connection others want.
  await assertFree();
  await holdCount(tx, `${quota} ${owner}`);
  await assertFree();
}

/** The refusal of what is beyond a quota. `retryAfterSeconds`: where something held is likely to end by itself. */
export function quotaReached(quota: Quota, retryAfterSeconds?: number): Refusal {
  const limit = quotas[quota];
  return new Refusal('quota_reached', {
    values: { limit, what: `quotas.${quota}` },
    details: { quota, limit },
    limit,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}
