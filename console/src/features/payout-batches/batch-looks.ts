import type { StatusLook } from '../../ui/status-tag.tsx';

/** How a batch of payouts looks while it still has rows to take, and once it has none. */
export const payoutBatchLooks: Readonly<Record<'running' | 'finished', StatusLook>> = {
  running: { label: 'payoutBatches.running', tone: 'active', icon: 'circleClock' },
  finished: { label: 'payoutBatches.finished', tone: 'good', icon: 'circleCheck' },
};
