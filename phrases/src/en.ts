import { accessKey } from './en/access-key.ts';
import { accessKeys } from './en/access-keys.ts';
import { account } from './en/account.ts';
import { announcements } from './en/announcements.ts';
import { approvals } from './en/approvals.ts';
import { auditLog } from './en/audit-log.ts';
import { callbacks } from './en/callbacks.ts';
import { cashier } from './en/cashier.ts';
import { channels } from './en/channels.ts';
import { checkout } from './en/checkout.ts';
import { collections } from './en/collections.ts';
import { contact } from './en/contact.ts';
import { dailyReports } from './en/daily-reports.ts';
import { dashboard } from './en/dashboard.ts';
import { endpoints } from './en/endpoints.ts';
import { errors } from './en/errors.ts';
import { exports } from './en/exports.ts';
import { fundFlow } from './en/fund-flow.ts';
import { ipAddress } from './en/ip-address.ts';
import { linkCard } from './en/link-card.ts';
import { notices } from './en/notices.ts';
import { office } from './en/office.ts';
import { officeAnnouncements } from './en/office-announcements.ts';
import { officeAudit } from './en/office-audit.ts';
import { officeLooks } from './en/office-looks.ts';
import { officeMerchants } from './en/office-merchants.ts';
import { officeOrders } from './en/office-orders.ts';
import { officeReconciliation } from './en/office-reconciliation.ts';
import { officeRequests } from './en/office-requests.ts';
import { officeService } from './en/office-service.ts';
import { officeWithdrawals } from './en/office-withdrawals.ts';
import { openErrors } from './en/open-errors.ts';
import { ownRoles } from './en/own-roles.ts';
import { passkeys } from './en/passkeys.ts';
import { payLinks } from './en/pay-links.ts';
import { paymentLinks } from './en/payment-links.ts';
import { paymentPassword } from './en/payment-password.ts';
import { payoutBatches } from './en/payout-batches.ts';
import { payoutSlips } from './en/payout-slips.ts';
import { payouts } from './en/payouts.ts';
import { profile } from './en/profile.ts';
import { quotas } from './en/quotas.ts';
import { receipts } from './en/receipts.ts';
import { refunds } from './en/refunds.ts';
import { requestLog } from './en/request-log.ts';
import { search } from './en/search.ts';
import { session } from './en/session.ts';
import { settlements } from './en/settlements.ts';
import { shareLink } from './en/share-link.ts';
import { shell } from './en/shell.ts';
import { status } from './en/status.ts';
import { team } from './en/team.ts';
import { testCalls } from './en/test-calls.ts';
import { testMode } from './en/test-mode.ts';
import { topups } from './en/topups.ts';
import { twoFactor } from './en/two-factor.ts';
import { ui } from './en/ui.ts';
import { validation } from './en/validation.ts';
import { withdrawals } from './en/withdrawals.ts';
import { workplaces } from './en/workplaces.ts';

export const en = {
  announcements,
  accessKey,
  accessKeys,
  account,
  approvals,
  auditLog,
  callbacks,
  cashier,
  channels,
  checkout,
  collections,
  contact,
  dailyReports,
  dashboard,
  endpoints,
  errors,
  exports,
  fundFlow,
  notices,
  office,
  officeOrders,
  officeRequests,
  officeWithdrawals,
  officeAnnouncements,
  officeAudit,
  officeLooks,
  officeMerchants,
  officeReconciliation,
  officeService,
  ipAddress,
  withdrawals,
  workplaces,
  payoutBatches,
  payoutSlips,
  paymentLinks,
  linkCard,
  payLinks,
  payouts,
  openErrors,
  ownRoles,
  passkeys,
  paymentPassword,
  profile,
  quotas,
  refunds,
  receipts,
  requestLog,
  search,
  shareLink,
  session,
  settlements,
  shell,
  status,
  twoFactor,
  ui,
  team,
  testCalls,
  testMode,
  topups,
  validation,
};
