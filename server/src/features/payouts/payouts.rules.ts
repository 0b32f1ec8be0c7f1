import { type PayoutFields, plainAccount } from '@hengfu/contract/payout-fields';
import { type PayoutStatus, payoutMoves } from '@hengfu/contract/payouts';

/** Whether nothing will become of it any more. */
export function hasEnded(status: PayoutStatus): boolean {
  return payoutMoves[status].length === 0;
}

/** What names the account that a payout goes to, the same however it was typed. */
export function accountKey(order: PayoutFields): string {
  const { bank, ifsc } = order;
  // An account number is unique within its bank only; a PIX key everywhere.
  const place = order.channel === 'IN_IMPS' ? ifsc?.slice(0, 4) : order.channel === 'BR_PIX' ? '' : bank;
  return [order.channel, place ?? '', plainAccount(order)].join(' ');
}

const firstAskSeconds = 3;
const slowestAskSeconds = 900;

/** Seconds to wait before the channel is asked for the nth time (from 0) what became of a payout. */
export function askDelaySeconds(attempt: number): number {
  return Math.min(firstAskSeconds * 2 ** attempt, slowestAskSeconds);
}

/** Names the one job that waits to ask the channel what became of a payout. */
export const askKey = (tradeNo: string) => `ask-payout:${tradeNo}`;

/** How often a channel must have said that it never heard of a payout before it is asked to make sure of that. */
export const unheardAsks = 2;
