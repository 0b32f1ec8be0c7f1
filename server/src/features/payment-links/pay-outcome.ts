import type { PayOutcome } from '@hengfu/contract/pay-links';
import type { PayersOrder } from './payment-links.sql.ts';

/** Returns what became of a payer's order. Money beyond the uses of its link is not kept. */
export function outcomeOf(order: PayersOrder): PayOutcome {
  const { status, paidAt, holdsLinkUse, lateReturn, expiresAt, now } = order;
  if (paidAt === null) return status === 'toBePaid' && expiresAt > now ? 'payable' : 'ended';
  if (lateReturn !== null) return lateReturn === 'inProgress' ? 'returning' : 'notReturned';
  return holdsLinkUse ? 'paid' : 'returned';
}
