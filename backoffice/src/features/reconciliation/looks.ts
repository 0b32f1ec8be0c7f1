import type { DayState, DifferenceState } from '@hengfu/contract/staff/statement-days';
import type { StatusLook } from '@hengfu/ui/values/status-tag.tsx';

/** Label, tone and icon of each state of a day. */
export const dayLooks: Readonly<Record<DayState, StatusLook>> = {
  missing: { label: 'officeReconciliation.state.missing', tone: 'calm', icon: 'circleClock' },
  loading: { label: 'officeReconciliation.state.loading', tone: 'active', icon: 'refresh' },
  failed: { label: 'officeReconciliation.state.failed', tone: 'bad', icon: 'circleCross' },
  open: { label: 'officeReconciliation.state.open', tone: 'waiting', icon: 'alert' },
  closed: { label: 'officeReconciliation.state.closed', tone: 'good', icon: 'circleCheck' },
};

/** Label, tone and icon of each state of a difference. */
export const decisionLooks: Readonly<Record<DifferenceState, StatusLook>> = {
  open: { label: 'officeReconciliation.decision.open', tone: 'bad', icon: 'alert' },
  waiting: { label: 'officeReconciliation.decision.waiting', tone: 'waiting', icon: 'circleClock' },
  explained: { label: 'officeReconciliation.decision.explained', tone: 'good', icon: 'check' },
  adjusted: { label: 'officeReconciliation.decision.adjusted', tone: 'good', icon: 'circleCheck' },
};
