import { auditQuery } from '@hengfu/contract/audit-log';
import type { ReadParts } from '#archive/entry-parts.sql.ts';
import { consoleList, exportable } from '#domain/exportable.sql.ts';
import type { AuditSqlRow } from './audit-log.sql.ts';
import { toExportRow } from './audit-log.view.ts';
import { wholeSource } from './audit-pages.sql.ts';

/** The audit log, filtered, including the entries in the archive. */
export const auditLogList = (readParts: ReadParts) =>
  consoleList(auditQuery, (tx, _home, query) => wholeSource(tx, query, readParts));

export const auditLogExport = (readParts: ReadParts) =>
  exportable(auditLogList(readParts), (row: AuditSqlRow, { currency }, language) =>
    toExportRow(row, currency, language),
  );
