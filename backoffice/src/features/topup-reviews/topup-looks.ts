import type { TopupStatus } from '@hengfu/contract/topups';
import type { StatusLook } from '@hengfu/ui/values/status-tag.tsx';

/** Label, tone and icon of each top-up status. */
export const topupLooks: Readonly<Record<TopupStatus, StatusLook>> = {
  pendingReview: { label: 'topups.status.pendingReview', tone: 'waiting', icon: 'circleClock' },
  approved: { label: 'topups.status.approved', tone: 'active', icon: 'check' },
  paid: { label: 'topups.status.paid', tone: 'good', icon: 'circleCheck' },
  rejected: { label: 'topups.status.rejected', tone: 'bad', icon: 'circleCross' },
};
