import { auditField } from '@hengfu/contract/audit-fields';
import { type AuditActorKind, type AuditRow, auditActionOf } from '@hengfu/contract/audit-log';
import type { Language } from '@hengfu/contract/languages';
import type { Currency } from '@hengfu/contract/money';
import { translate } from '#domain/language.ts';
import { changesOf, type Recorded, visibleOfStaff, withNames, withPeople } from './audit-log.rules.ts';
import type { AuditSqlRow } from './audit-log.sql.ts';
import { roleNames, wordOf } from './audit-log.words.ts';

const kinds: Readonly<Record<string, AuditActorKind>> = {
  user: 'person',
  key: 'program',
  operator: 'staff',
  staff: 'staff',
  job: 'service',
  nobody: 'nobody',
};

/** Maps an audit row to the wire. Our staff's own names are left out. */
export function toRow(row: AuditSqlRow, currency: Currency): AuditRow {
  const [prefix = '', id = ''] = row.actor.split(/:(.*)/s);
  const kind = kinds[prefix] ?? 'service';
  const isOwn = kind === 'person' || kind === 'program';
  const shown = (recorded: Recorded) =>
    withPeople(
      withNames(isOwn ? recorded : visibleOfStaff(row.action, recorded), row.own_names),
      row.rule_people,
    );
  return {
    entry_no: String(row.id),
    at: row.at.toISOString(),
    action: auditActionOf(row.action),
    actorKind: kind,
    actor: kind === 'person' ? row.actor_name : kind === 'program' ? id : null,
    actorEmail: kind === 'person' ? row.actor_email : null,
    actorRoles: isOwn ? (row.roles ?? []) : [],
    // Somebody who signs in is the object, too.
    subject: row.subject === row.actor ? null : (row.subject_name ?? row.subject),
    changes: changesOf(shown(row.before), shown(row.after), currency),
    address: kind === 'staff' ? null : row.address,
    userAgent: kind === 'staff' ? null : row.user_agent,
    request_id: row.request_id,
  };
}

/** An audit row as a row of a file: its changes as one text, in words wherever there are any. */
export function toExportRow(row: AuditSqlRow, currency: Currency, language: Language) {
  const { changes, actorRoles, ...rest } = toRow(row, currency);
  const textOf = (field: string, value: string | null) =>
    value === null ? '–' : wordOf({ field, value, action: row.action }, language);
  const texts = changes.map(
    ({ field, before, after }) =>
      `${nameIn(language, field)}: ${textOf(field, before)} → ${textOf(field, after)}`,
  );
  return { ...rest, actorRoles: roleNames(actorRoles, language), changes: texts.join('; ') };
}

/** Names a field; one that has no name is shown as recorded. */
function nameIn(language: Language, field: string): string {
  const known = auditField(field);
  return known ? translate(language, known.name) : field;
}
