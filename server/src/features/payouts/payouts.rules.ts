import { type PayoutFields, plainAccount } from '@hengfu/contract/payout-fields';
import { type PayoutStatus, payoutMoves } from '@hengfu/contract/payouts';

/** Whether a status is final. */
export function hasEnded(status: PayoutStatus): boolean {
  return payoutMoves[status].length === 0;
}

/** Returns a key for the account that a payout goes to, the same however it was typed. */
export function accountKey(order: PayoutFields): string {
  const { bank, ifsc } = order;
  // An account number is unique within its bank only; a PIX key everywhere.
  const institution =
    order.channel === 'IN_IMPS' ? ifsc?.slice(0, 4) : order.channel === 'BR_PIX' ? '' : bank;
  return [order.channel, institution ?? '', plainAccount(order)].join(' ');
}

const firstQuerySeconds = 3;
const longestQuerySeconds = 900;

/** Returns the backoff before the nth status query to the channel (from 0), in seconds. */
export function queryDelaySeconds(attempt: number): number {
  return Math.min(firstQuerySeconds * 2 ** attempt, longestQuerySeconds);
}

/** Key of the one pending job that queries the channel about a payout. */
export const queryJobKey = (tradeNo: string) => `ask-payout:${tradeNo}`;

/** How many queries a channel must answer with "unknown" before it is asked to void the payout. */
export const queriesBeforeVoid = 2;
