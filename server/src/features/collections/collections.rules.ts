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

/** How a report contradicts an order that was paid: the payer has paid again, or the channel takes the payment back. */
export type Contradiction = 'paid_again' | 'channel_contradicts';

/** Returns how a report contradicts an order; undefined if it does not, as when the channel repeats it. */
export function contradictionOf(
  order: { paidAt: Date | null; bankReference: string | null },
  report: { status: string; bankReference: string },
): Contradiction | undefined {
  if (order.paidAt === null) return undefined;
  if (report.status === 'refused') return 'channel_contradicts';
  return report.status === 'paid' && report.bankReference !== order.bankReference ? 'paid_again' : undefined;
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
