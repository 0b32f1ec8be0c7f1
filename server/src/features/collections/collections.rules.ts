import type { CollectionStatus } from '@hengfu/contract/collections';
import type { CreateCollection } from '@hengfu/contract/collections.open';
import { type FeeTerms, feeOf } from '@hengfu/contract/fees';

/** Returns a collection's fee in minor units; never more than the amount. */
export function collectionFee(amountMinor: bigint, terms: FeeTerms): bigint {
  const fee = feeOf(amountMinor, terms);
  return fee < amountMinor ? fee : amountMinor;
}

/** Whether an order was given up. A payment that arrives afterwards is late. */
export function isGivenUp(status: CollectionStatus): boolean {
  return status === 'closed' || status === 'cancelled' || status === 'failed';
}

const defaultExpirySeconds = 1800;

/** Returns how long an order can be paid, in seconds. */
export function expirySeconds(order: Pick<CreateCollection, 'expiresIn'>): number {
  return order.expiresIn ?? defaultExpirySeconds;
}

const firstQueryDelaySeconds = 10;
const maxQueryDelaySeconds = 3600;

/** Returns the seconds before the nth status query (from 0): exponential backoff, at most an hour. */
export function queryDelaySeconds(attempt: number): number {
  return Math.min(firstQueryDelaySeconds * 2 ** attempt, maxQueryDelaySeconds);
}

/** How long the channel is still queried after an order has expired: late payments arrive within a day. */
export const queryAfterExpiryMs = 24 * 3600 * 1000;
