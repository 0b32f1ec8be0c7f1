import { type AuditActorKind, type AuditRow, auditActionOf } from '@hengfu/contract/audit-log';
import type { Currency } from '@hengfu/contract/money';
import { changesOf, type Recorded, visibleOfStaff } from './audit-log.rules.ts';
import type { AuditSqlRow } from './audit-log.sql.ts';

const kinds: Readonly<Record<string, AuditActorKind>> = {
  user: 'person',
  key: 'program',
  operator: 'staff',
  job: 'service',
  nobody: 'nobody',
};

/** Maps an audit row to the wire. Our staff's own names are left out. */
export function toRow(row: AuditSqlRow, currency: Currency): AuditRow {
  const [prefix = '', id = ''] = row.actor.split(/:(.*)/s);
  const kind = kinds[prefix] ?? 'service';
  const isOwn = kind === 'person' || kind === 'program';
  const shown = (recorded: Recorded) => (isOwn ? recorded : visibleOfStaff(row.action, recorded));
  return {
    entry_no: String(row.id),
    at: row.at.toISOString(),
    action: auditActionOf(row.action),
    actorKind: kind,
    actor: kind === 'person' ? row.actor_name : kind === 'program' ? id : null,
    actorEmail: kind === 'person' ? row.actor_email : null,
    actorRoles: row.roles ?? [],
    // Somebody who signs in is the object, too.
    subject: row.subject === row.actor ? null : (row.subject_email ?? row.subject),
    changes: changesOf(shown(row.before), shown(row.after), currency),
    address: row.address,
    userAgent: row.user_agent,
    request_id: row.request_id,
  };
}

/** An audit row as a row of a file: its changes as one text. */
export function toExportRow(row: AuditSqlRow, currency: Currency) {
  const { changes, actorRoles, ...rest } = toRow(row, currency);
  const texts = changes.map(({ field, before, after }) => `${field}: ${before ?? '–'} → ${after ?? '–'}`);
  return { ...rest, actorRoles: actorRoles.join(', '), changes: texts.join('; ') };
}
