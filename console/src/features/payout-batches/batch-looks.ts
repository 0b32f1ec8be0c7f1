import type { StatusLook } from '@hengfu/ui/values/status-tag.tsx';

/** Label, tone and icon of a batch that still has rows to process, and of one that has finished. */
export const payoutBatchLooks: Readonly<Record<'running' | 'finished', StatusLook>> = {
  running: { label: 'payoutBatches.running', tone: 'active', icon: 'circleClock' },
  finished: { label: 'payoutBatches.finished', tone: 'good', icon: 'circleCheck' },
};
