import type { StatusLook } from '../values/status-tag.tsx';

/** Label, tone and icon of each state of an approval. */
export const approvalLooks = {
  waiting: { label: 'approvals.states.waiting', tone: 'waiting', icon: 'circleClock' },
  approved: { label: 'approvals.states.approved', tone: 'good', icon: 'circleCheck' },
  refused: { label: 'approvals.states.refused', tone: 'bad', icon: 'circleCross' },
  withdrawn: { label: 'approvals.states.withdrawn', tone: 'calm', icon: 'circleCross' },
  expired: { label: 'approvals.states.expired', tone: 'calm', icon: 'circleClock' },
} as const satisfies Readonly<Record<string, StatusLook>>;
