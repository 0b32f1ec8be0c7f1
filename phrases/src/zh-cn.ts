import type { Phrases } from './phrases.ts';
import { accessKey } from './zh-cn/access-key.ts';
import { accessKeys } from './zh-cn/access-keys.ts';
import { account } from './zh-cn/account.ts';
import { announcements } from './zh-cn/announcements.ts';
import { approvals } from './zh-cn/approvals.ts';
import { auditLog } from './zh-cn/audit-log.ts';
import { callbacks } from './zh-cn/callbacks.ts';
import { cashier } from './zh-cn/cashier.ts';
import { channels } from './zh-cn/channels.ts';
import { checkout } from './zh-cn/checkout.ts';
import { collections } from './zh-cn/collections.ts';
import { contact } from './zh-cn/contact.ts';
import { dailyReports } from './zh-cn/daily-reports.ts';
import { dashboard } from './zh-cn/dashboard.ts';
import { endpoints } from './zh-cn/endpoints.ts';
import { errors } from './zh-cn/errors.ts';
import { exports } from './zh-cn/exports.ts';
import { fundFlow } from './zh-cn/fund-flow.ts';
import { ipAddress } from './zh-cn/ip-address.ts';
import { linkCard } from './zh-cn/link-card.ts';
import { notices } from './zh-cn/notices.ts';
import { office } from './zh-cn/office.ts';
import { officeAnnouncements } from './zh-cn/office-announcements.ts';
import { officeAudit } from './zh-cn/office-audit.ts';
import { officeLooks } from './zh-cn/office-looks.ts';
import { officeMerchants } from './zh-cn/office-merchants.ts';
import { officeOrders } from './zh-cn/office-orders.ts';
import { officeReconciliation } from './zh-cn/office-reconciliation.ts';
import { officeRequests } from './zh-cn/office-requests.ts';
import { officeService } from './zh-cn/office-service.ts';
import { officeWithdrawals } from './zh-cn/office-withdrawals.ts';
import { openErrors } from './zh-cn/open-errors.ts';
import { ownRoles } from './zh-cn/own-roles.ts';
import { passkeys } from './zh-cn/passkeys.ts';
import { payLinks } from './zh-cn/pay-links.ts';
import { paymentLinks } from './zh-cn/payment-links.ts';
import { paymentPassword } from './zh-cn/payment-password.ts';
import { payoutBatches } from './zh-cn/payout-batches.ts';
import { payoutSlips } from './zh-cn/payout-slips.ts';
import { payouts } from './zh-cn/payouts.ts';
import { profile } from './zh-cn/profile.ts';
import { quotas } from './zh-cn/quotas.ts';
import { receipts } from './zh-cn/receipts.ts';
import { refunds } from './zh-cn/refunds.ts';
import { requestLog } from './zh-cn/request-log.ts';
import { search } from './zh-cn/search.ts';
import { session } from './zh-cn/session.ts';
import { settlements } from './zh-cn/settlements.ts';
import { shareLink } from './zh-cn/share-link.ts';
import { shell } from './zh-cn/shell.ts';
import { status } from './zh-cn/status.ts';
import { team } from './zh-cn/team.ts';
import { testCalls } from './zh-cn/test-calls.ts';
import { testMode } from './zh-cn/test-mode.ts';
import { topups } from './zh-cn/topups.ts';
import { twoFactor } from './zh-cn/two-factor.ts';
import { ui } from './zh-cn/ui.ts';
import { validation } from './zh-cn/validation.ts';
import { withdrawals } from './zh-cn/withdrawals.ts';
import { workplaces } from './zh-cn/workplaces.ts';

export const zhCn = {
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
