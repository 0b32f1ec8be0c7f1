import type { StaffRequestState } from '@hengfu/contract/staff/requests';
import type { StatusLook } from '@hengfu/ui/values/status-tag.tsx';

/** Label, tone and icon of each state of a request. */
export const requestLooks: Readonly<Record<StaffRequestState, StatusLook>> = {
  waiting: { label: 'approvals.states.waiting', tone: 'waiting', icon: 'circleClock' },
  approved: { label: 'approvals.states.approved', tone: 'good', icon: 'circleCheck' },
  refused: { label: 'approvals.states.refused', tone: 'bad', icon: 'circleCross' },
  withdrawn: { label: 'approvals.states.withdrawn', tone: 'calm', icon: 'circleCross' },
  expired: { label: 'approvals.states.expired', tone: 'calm', icon: 'circleClock' },
};
