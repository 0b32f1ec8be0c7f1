import { type auditTrailEndpoints, type TrailRow, trailPageRows } from '@hengfu/contract/staff/audit-trail';
import type { Handlers } from '#http/bind.ts';
import { changesOf } from '../audit-log.rules.ts';
import type { AuditTrail, TrailSqlRow } from './trail.service.ts';

/** Handles the calls of our staff about the audit trail. */
export function auditTrailHandlers(service: AuditTrail): Handlers<typeof auditTrailEndpoints> {
  return {
    list: async ({ query }) => {
      const found = await service.list(query);
      const rows = found.slice(0, trailPageRows).map(toRow);
      const next = found.length > trailPageRows ? (rows.at(-1)?.entry_no ?? null) : null;
      return { data: { rows, next } };
    },
  };
}

function toRow(row: TrailSqlRow): TrailRow {
  const { merchantCode: code, merchantName: name } = row;
  return {
    entry_no: String(row.id),
    at: row.at.toISOString(),
    merchant: code === null || name === null ? null : { code, name },
    action: row.action,
    actor: row.actor,
    actorName: row.actorName,
    actorEmail: row.actorEmail,
    roles: row.roles ?? [],
    subject: row.subject,
    subjectName: row.subjectName,
    // The service alone has amounts in USDT only.
    changes: changesOf(row.before, row.after, row.currency ?? 'USDT'),
    address: row.address,
    userAgent: row.userAgent,
    request_id: row.requestId,
  };
}
