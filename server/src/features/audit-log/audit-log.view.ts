import { auditField } from '@hengfu/contract/audit-fields';
import { type AuditActorKind, type AuditRow, auditActionOf } from '@hengfu/contract/audit-log';
import type { Language } from '@hengfu/contract/languages';
import type { Currency } from '@hengfu/contract/money';
import { phrasesUnder, translate } from '#domain/language.ts';
import { changesOf, type Recorded, visibleOfStaff, withNames } from './audit-log.rules.ts';
import type { AuditSqlRow } from './audit-log.sql.ts';

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
    withNames(isOwn ? recorded : visibleOfStaff(row.action, recorded), row.own_names);
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

/** The words of a language for roles, permissions, yes and no. */
interface Words {
  roles: ReadonlyMap<string, string>;
  /** By the codes of permissions with `_` for `.`. */
  perms: ReadonlyMap<string, string>;
  answers: ReadonlyMap<string, string>;
}

/** Read once per language, not for each row. */
const wordsIn = new Map<Language, Words>();

function wordsOf(language: Language): Words {
  const known = wordsIn.get(language);
  if (known) return known;
  const under = (prefix: string) => new Map(Object.entries(phrasesUnder(language, prefix)));
  const words = {
    roles: under('team.role'),
    perms: under('team.perm'),
    answers: new Map([
      ['true', translate(language, 'auditLog.yes')],
      ['false', translate(language, 'auditLog.no')],
    ]),
  };
  wordsIn.set(language, words);
  return words;
}

/** An audit row as a row of a file: its changes as one text. Roles, permissions and answers are words; other values are as recorded. */
export function toExportRow(row: AuditSqlRow, currency: Currency, language: Language) {
  const { changes, actorRoles, ...rest } = toRow(row, currency);
  const { roles, perms, answers } = wordsOf(language);
  const namesOf = (codes: readonly string[]) => codes.map((code) => roles.get(code) ?? code).join(', ');
  const textOf = (field: string, value: string | null) => {
    if (value === null) return '–';
    if (field === 'permissions')
      return value
        .split(', ')
        .map((perm) => perms.get(perm.replace('.', '_')) ?? perm)
        .join(' ');
    return field === 'roles' ? namesOf(value.split(', ')) : (answers.get(value) ?? value);
  };
  const texts = changes.map(
    ({ field, before, after }) =>
      `${nameIn(language, field)}: ${textOf(field, before)} → ${textOf(field, after)}`,
  );
  return { ...rest, actorRoles: namesOf(actorRoles), changes: texts.join('; ') };
}

/** Names a field; one that has no name is shown as recorded. */
function nameIn(language: Language, field: string): string {
  const known = auditField(field);
  return known ? translate(language, known.name) : field;
}
