import type { PayoutStatus } from '@hengfu/contract/payouts';

/** Whether a payout has been sent and nobody knows how it ends. */
export function isUnknown({ status }: { status: PayoutStatus }): boolean {
  return status === 'pendingSettlement' || status === 'processing';
}
