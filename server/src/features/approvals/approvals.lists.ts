import { approvalQuery } from '@hengfu/contract/approvals';
import { consoleList, exportable } from '#domain/exportable.sql.ts';
import { type ApprovalRequest, approvalSource } from './approvals.sql.ts';
import { toSharedRow } from './approvals.view.ts';

/** Requests for approval, filtered. A person's own views are no list of the merchant. */
export const approvalList = consoleList(approvalQuery.omit({ view: true }), (tx, _home, query) =>
  approvalSource(tx, query),
);

export const approvalExport = exportable(approvalList, (row: ApprovalRequest) => toSharedRow(row));
