import type { AnnouncementTables } from './tables/announcements.ts';
import type { ApprovalTables } from './tables/approvals.ts';
import type { ArchiveTables } from './tables/archive.ts';
import type { BatchHeadingTables } from './tables/batch-headings.ts';
import type { CallbackTables } from './tables/callbacks.ts';
import type { CheckoutTables } from './tables/checkout.ts';
import type { CollectionTables } from './tables/collections.ts';
import type { ContactTables } from './tables/contact.ts';
import type { DashboardTables } from './tables/dashboard.ts';
import type { ExportTables } from './tables/exports.ts';
import type { JobTables } from './tables/jobs.ts';
import type { LedgerTables } from './tables/ledger.ts';
import type { MerchantTables } from './tables/merchants.ts';
import type { NoticeTables } from './tables/notices.ts';
import type { OpenApiTables } from './tables/open-api.ts';
import type { PaymentLinkTables } from './tables/payment-links.ts';
import type { PayoutTables } from './tables/payouts.ts';
import type { ReconciliationTables } from './tables/reconciliation.ts';
import type { RefundTables } from './tables/refunds.ts';
import type { RequestLogTables } from './tables/request-log.ts';
import type { SavedViewTables } from './tables/saved-views.ts';
import type { SessionTables } from './tables/session.ts';
import type { SettlementTables } from './tables/settlements.ts';
import type { StaffTables } from './tables/staff.ts';
import type { StatusTables } from './tables/status.ts';
import type { TopupTables } from './tables/topups.ts';
import type { WithdrawalTables } from './tables/withdrawals.ts';

/** Types of all tables, one file per feature. A test compares them with the migrations. */
export interface Schema
  extends AnnouncementTables,
    ApprovalTables,
    ArchiveTables,
    BatchHeadingTables,
    CallbackTables,
    CheckoutTables,
    CollectionTables,
    ContactTables,
    DashboardTables,
    ExportTables,
    JobTables,
    LedgerTables,
    MerchantTables,
    NoticeTables,
    OpenApiTables,
    PaymentLinkTables,
    PayoutTables,
    ReconciliationTables,
    RefundTables,
    RequestLogTables,
    SavedViewTables,
    SessionTables,
    SettlementTables,
    StaffTables,
    StatusTables,
    TopupTables,
    WithdrawalTables {}
