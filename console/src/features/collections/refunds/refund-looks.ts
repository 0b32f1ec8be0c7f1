import type { RefundStatus } from '@hengfu/contract/refunds';
import type { StatusLook } from '@hengfu/ui/values/status-tag.tsx';

/** Label, tone and icon of each status of a refund. */
export const refundLooks: Readonly<Record<RefundStatus, StatusLook>> = {
  requested: { label: 'refunds.status.requested', tone: 'waiting', icon: 'circleClock' },
  processing: { label: 'refunds.status.processing', tone: 'active', icon: 'undo' },
  refunded: { label: 'refunds.status.refunded', tone: 'good', icon: 'circleCheck' },
  failed: { label: 'refunds.status.failed', tone: 'bad', icon: 'circleCross' },
};
