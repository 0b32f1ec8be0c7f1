import type { BatchStatus } from '@hengfu/contract/settlements';
import type { StatusLook } from '../../ui/status-tag.tsx';

/** How each status of a batch looks, everywhere. */
export const batchLooks: Readonly<Record<BatchStatus, StatusLook>> = {
  pendingSettlement: { label: 'settlements.status.pendingSettlement', tone: 'waiting', icon: 'circleClock' },
  settled: { label: 'settlements.status.settled', tone: 'good', icon: 'circleCheck' },
};

/** A line of a batch brings money, or takes back what an earlier batch brought. */
export const lineLooks: Readonly<Record<'payment' | 'refund', StatusLook>> = {
  payment: { label: 'settlements.lineKind.payment', tone: 'active', icon: 'arrowDown' },
  refund: { label: 'settlements.lineKind.refund', tone: 'waiting', icon: 'undo' },
};
