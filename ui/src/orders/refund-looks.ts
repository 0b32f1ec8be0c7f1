import type { StatusLook } from '../values/status-tag.tsx';

/** Label, tone and icon of each status of a refund. */
export const refundLooks = {
  requested: { label: 'refunds.status.requested', tone: 'waiting', icon: 'circleClock' },
  processing: { label: 'refunds.status.processing', tone: 'active', icon: 'undo' },
  refunded: { label: 'refunds.status.refunded', tone: 'good', icon: 'circleCheck' },
  failed: { label: 'refunds.status.failed', tone: 'bad', icon: 'circleCross' },
} as const satisfies Readonly<Record<string, StatusLook>>;
