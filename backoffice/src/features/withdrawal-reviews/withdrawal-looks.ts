import type { WithdrawalStatus } from '@hengfu/contract/withdrawals';
import type { StatusLook } from '@hengfu/ui/values/status-tag.tsx';

/** Label, tone and icon of each withdrawal status. */
export const withdrawalLooks: Readonly<Record<WithdrawalStatus, StatusLook>> = {
  pendingReview: { label: 'withdrawals.status.pendingReview', tone: 'waiting', icon: 'circleClock' },
  approved: { label: 'withdrawals.status.approved', tone: 'active', icon: 'check' },
  paid: { label: 'withdrawals.status.paid', tone: 'good', icon: 'circleCheck' },
  rejected: { label: 'withdrawals.status.rejected', tone: 'bad', icon: 'circleCross' },
};
