import type { PayOutcome } from '@hengfu/contract/pay-links';
import { isBeingReturned } from '#domain/late-money.ts';
import type { PayersOrder } from './payment-links.sql.ts';

/** Returns what became of a payer's order. Money beyond the uses of its link is not kept. */
export function outcomeOf(order: PayersOrder): PayOutcome {
  const { status, paidAt, holdsLinkUse, expiresAt, now } = order;
  if (paidAt === null) return status === 'toBePaid' && expiresAt > now ? 'payable' : 'ended';
  if (isBeingReturned(order)) return 'returning';
  return holdsLinkUse ? 'paid' : 'returned';
}
