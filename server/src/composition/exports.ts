import type { ExportList } from '@hengfu/contract/export-columns';
import type { ReadParts } from '#archive/entry-parts.sql.ts';
import type { Exportable } from '#domain/exportable.sql.ts';
import { approvalExport } from '#features/approvals/approvals.lists.ts';
import { auditLogExport } from '#features/audit-log/audit-log.lists.ts';
import { collectionExport } from '#features/collections/collections.lists.ts';
import { refundExport } from '#features/collections/refunds/refunds.lists.ts';
import { dailyReportExport } from '#features/daily-reports/daily-reports.lists.ts';
import { fundFlowExport } from '#features/fund-flow/fund-flow.lists.ts';
import { payoutExport } from '#features/payouts/payouts.lists.ts';
import { settlementExport, settlementLineExport } from '#features/settlements/settlements.lists.ts';
import { topupExport } from '#features/topups/topups.lists.ts';
import { withdrawalExport } from '#features/withdrawals/withdrawals.lists.ts';

/** Every list that can be exported. Apart from the modules: the export thread needs these and nothing else. */
export const exportablesOf = (readParts: ReadParts): Readonly<Record<ExportList, Exportable>> => ({
  collections: collectionExport,
  refunds: refundExport,
  settlements: settlementExport,
  settlementLines: settlementLineExport,
  payouts: payoutExport,
  topups: topupExport,
  withdrawals: withdrawalExport,
  fundFlow: fundFlowExport(readParts),
  dailyReports: dailyReportExport,
  approvals: approvalExport,
  auditLog: auditLogExport(readParts),
});
