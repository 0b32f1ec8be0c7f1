import type { ApprovalState } from '@hengfu/contract/approvals';
import { type StatusLook, StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import type { ReactElement } from 'react';

/** Label, tone and icon of each state of an approval. */
export const approvalLooks: Readonly<Record<ApprovalState, StatusLook>> = {
  waiting: { label: 'approvals.states.waiting', tone: 'waiting', icon: 'circleClock' },
  approved: { label: 'approvals.states.approved', tone: 'good', icon: 'circleCheck' },
  refused: { label: 'approvals.states.refused', tone: 'bad', icon: 'circleCross' },
  withdrawn: { label: 'approvals.states.withdrawn', tone: 'calm', icon: 'circleCross' },
  expired: { label: 'approvals.states.expired', tone: 'calm', icon: 'circleClock' },
};

/** The approval of an order; a dash if no rule covers it. */
export function ApprovalStateTag({ state }: { state: ApprovalState | null }): ReactElement {
  return state === null ? <>–</> : <StatusTag look={approvalLooks[state]} />;
}
