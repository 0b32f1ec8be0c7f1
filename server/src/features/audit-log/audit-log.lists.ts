import { auditQuery } from '@hengfu/contract/audit-log';
import { consoleList, exportable } from '#domain/exportable.sql.ts';
import { type AuditSqlRow, auditSource } from './audit-log.sql.ts';
import { toExportRow } from './audit-log.view.ts';

/** The audit log, filtered. */
export const auditLogList = consoleList(auditQuery, (tx, _home, query) => auditSource(tx, query));

export const auditLogExport = exportable(auditLogList, (row: AuditSqlRow, { currency }, language) =>
  toExportRow(row, currency, language),
);
