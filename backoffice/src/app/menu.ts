import type { StaffPerm } from '@hengfu/contract/staff/permissions';
import type { PhraseKey } from '@hengfu/phrases/phrases';

/** The pages of the menu, each with the permission that shows it. */
export const menu = [
  { to: '/', label: 'office.today', perm: 'today.read' },
  { to: '/topups', label: 'office.topups', perm: 'topupReviews.read' },
  { to: '/withdrawals', label: 'officeWithdrawals.title', perm: 'withdrawalReviews.read' },
  { to: '/requests', label: 'officeRequests.title', perm: 'requests.read' },
  { to: '/merchants', label: 'office.merchants', perm: 'merchants.read' },
  { to: '/orders', label: 'office.orders', perm: 'orders.read' },
  { to: '/reconciliation', label: 'office.reconciliation', perm: 'reconciliation.read' },
  { to: '/service', label: 'officeService.title', perm: 'health.read' },
] as const satisfies readonly { to: string; label: PhraseKey; perm: StaffPerm }[];
