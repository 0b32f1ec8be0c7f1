import type { BatchStatus } from '@hengfu/contract/settlements';
import type { StatusLook } from '@hengfu/ui/values/status-tag.tsx';

/** Label, tone and icon of each batch status. */
export const batchLooks: Readonly<Record<BatchStatus, StatusLook>> = {
  pendingSettlement: { label: 'settlements.status.pendingSettlement', tone: 'waiting', icon: 'circleClock' },
  settled: { label: 'settlements.status.settled', tone: 'good', icon: 'circleCheck' },
};

/** A line adds a payment, or deducts a refund of a payment that an earlier batch added. */
export const lineLooks: Readonly<Record<'payment' | 'refund', StatusLook>> = {
  payment: { label: 'settlements.lineKind.payment', tone: 'active', icon: 'arrowDown' },
  refund: { label: 'settlements.lineKind.refund', tone: 'waiting', icon: 'undo' },
};
