import type { CollectionStatus } from '@hengfu/contract/collections';
import type { CreateCollection } from '@hengfu/contract/collections.open';
import { type FeeTerms, feeOf } from '@hengfu/contract/fees';

/** What a collection costs, in minor units: never more than the amount. */
export function collectionFee(amountMinor: bigint, terms: FeeTerms): bigint {
  const fee = feeOf(amountMinor, terms);
  return fee < amountMinor ? fee : amountMinor;
}

/** Whether an order was given up: money that arrives now arrives late. */
export function isGivenUp(status: CollectionStatus): boolean {
  return status === 'closed' || status === 'cancelled' || status === 'failed';
}

const defaultExpirySeconds = 1800;

/** Seconds that an order may be paid in. */
export function expirySeconds(order: Pick<CreateCollection, 'expiresIn'>): number {
  return order.expiresIn ?? defaultExpirySeconds;
}

const firstAskSeconds = 10;
const slowestAskSeconds = 3600;

/** Seconds to wait before the channel is asked for the nth time (from 0) what became of a payment. */
export function askDelaySeconds(attempt: number): number {
  return Math.min(firstAskSeconds * 2 ** attempt, slowestAskSeconds);
}

/** How long after an order's end the channel is still asked: late payments come within a day. */
export const askAfterExpiryMs = 24 * 3600 * 1000;
