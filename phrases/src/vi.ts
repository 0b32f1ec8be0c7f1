import type { Phrases } from './phrases.ts';
import { accessKey } from './vi/access-key.ts';
import { accessKeys } from './vi/access-keys.ts';
import { account } from './vi/account.ts';
import { announcements } from './vi/announcements.ts';
import { approvals } from './vi/approvals.ts';
import { auditLog } from './vi/audit-log.ts';
import { callbacks } from './vi/callbacks.ts';
import { cashier } from './vi/cashier.ts';
import { channels } from './vi/channels.ts';
import { checkout } from './vi/checkout.ts';
import { collections } from './vi/collections.ts';
import { contact } from './vi/contact.ts';
import { dailyReports } from './vi/daily-reports.ts';
import { dashboard } from './vi/dashboard.ts';
import { endpoints } from './vi/endpoints.ts';
import { errors } from './vi/errors.ts';
import { exports } from './vi/exports.ts';
import { fundFlow } from './vi/fund-flow.ts';
import { ipAddress } from './vi/ip-address.ts';
import { linkCard } from './vi/link-card.ts';
import { notices } from './vi/notices.ts';
import { office } from './vi/office.ts';
import { officeAnnouncements } from './vi/office-announcements.ts';
import { officeAudit } from './vi/office-audit.ts';
import { officeLooks } from './vi/office-looks.ts';
import { officeMerchants } from './vi/office-merchants.ts';
import { officeOrders } from './vi/office-orders.ts';
import { officeReconciliation } from './vi/office-reconciliation.ts';
import { officeRequests } from './vi/office-requests.ts';
import { officeService } from './vi/office-service.ts';
import { officeWithdrawals } from './vi/office-withdrawals.ts';
import { openErrors } from './vi/open-errors.ts';
import { ownRoles } from './vi/own-roles.ts';
import { passkeys } from './vi/passkeys.ts';
import { payLinks } from './vi/pay-links.ts';
import { paymentLinks } from './vi/payment-links.ts';
import { paymentPassword } from './vi/payment-password.ts';
import { payoutBatches } from './vi/payout-batches.ts';
import { payoutSlips } from './vi/payout-slips.ts';
import { payouts } from './vi/payouts.ts';
import { profile } from './vi/profile.ts';
import { quotas } from './vi/quotas.ts';
import { receipts } from './vi/receipts.ts';
import { refunds } from './vi/refunds.ts';
import { requestLog } from './vi/request-log.ts';
import { search } from './vi/search.ts';
import { session } from './vi/session.ts';
import { settlements } from './vi/settlements.ts';
import { shareLink } from './vi/share-link.ts';
import { shell } from './vi/shell.ts';
import { status } from './vi/status.ts';
import { team } from './vi/team.ts';
import { testCalls } from './vi/test-calls.ts';
import { testMode } from './vi/test-mode.ts';
import { topups } from './vi/topups.ts';
import { twoFactor } from './vi/two-factor.ts';
import { ui } from './vi/ui.ts';
import { validation } from './vi/validation.ts';
import { withdrawals } from './vi/withdrawals.ts';
import { workplaces } from './vi/workplaces.ts';

export const vi = {
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
} satisfies Phrases;
