import type { WithdrawalStatus } from '@hengfu/contract/withdrawals';
import type { StatusLook } from '../../ui/status-tag.tsx';

/** How each status of a withdrawal looks, everywhere. */
export const withdrawalLooks: Readonly<Record<WithdrawalStatus, StatusLook>> = {
  pendingReview: { label: 'withdrawals.status.pendingReview', tone: 'waiting', icon: 'circleClock' },
  approved: { label: 'withdrawals.status.approved', tone: 'active', icon: 'check' },
  paid: { label: 'withdrawals.status.paid', tone: 'good', icon: 'circleCheck' },
  rejected: { label: 'withdrawals.status.rejected', tone: 'bad', icon: 'circleCross' },
};
