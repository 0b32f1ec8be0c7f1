import { type AuditValueKind, auditField } from '@hengfu/contract/audit-fields';
import { auditActionOf, type RecordedAction } from '@hengfu/contract/audit-log';
import type { Language } from '@hengfu/contract/languages';
import { networkCodes, networks } from '@hengfu/contract/wallets';
import { phrasesUnder, translate } from '#domain/language.ts';

/** Where the words of a kind of values stand; each value is the last part of a phrase's key, with `_` for `.`. */
const prefixes: Partial<Record<AuditValueKind, string>> = {
  approval: 'approvals.states',
  roles: 'team.role',
  permissions: 'team.perm',
  scopes: 'accessKeys.scope',
  payerFields: 'paymentLinks.field',
  marks: 'approvals.mark',
  list: 'exports.lists',
  period: 'exports.periods',
  factor: 'auditLog.factors',
  channel: 'channels',
};

/** Where the words of statuses and states stand, by the object of the action. */
const prefixesByObject: Readonly<Partial<Record<AuditValueKind, Readonly<Record<string, string>>>>> = {
  status: {
    collection: 'collections.status',
    payout: 'payouts.status',
    topup: 'topups.status',
    withdrawal: 'withdrawals.status',
    export: 'exports.status',
  },
  state: { callback_endpoint: 'endpoints.state', user: 'team.states' },
};

/** Kinds of several values, which are recorded with commas, by what separates their words. */
const separators: Partial<Record<AuditValueKind, string>> = {
  roles: ', ',
  scopes: ', ',
  payerFields: ', ',
  permissions: ' ',
  marks: ' ',
};

/** Read once per language and prefix, not for each row. */
const wordsIn = new Map<string, ReadonlyMap<string, string>>();

function wordsUnder(language: Language, prefix: string): ReadonlyMap<string, string> {
  const name = `${language} ${prefix}`;
  const words = wordsIn.get(name) ?? new Map(Object.entries(phrasesUnder(language, prefix)));
  wordsIn.set(name, words);
  return words;
}

function prefixOf(kind: AuditValueKind, action: RecordedAction): string | undefined {
  const byObject = prefixesByObject[kind];
  if (!byObject) return prefixes[kind];
  const object = Object.keys(byObject).find((name) => auditActionOf(action).startsWith(name));
  return object === undefined ? undefined : byObject[object];
}

/** Puts a recorded value into the words of a language. One that has none, and a text that a person wrote, is as recorded. */
export function wordOf(
  { field, value, action }: { field: string; value: string; action: RecordedAction },
  language: Language,
): string {
  const kind = auditField(field)?.kind;
  if (kind === undefined || kind === 'text') return value;
  if (kind === 'answer' && (value === 'true' || value === 'false'))
    return translate(language, value === 'true' ? 'auditLog.yes' : 'auditLog.no');
  const network = kind === 'network' && networkCodes.find((code) => code === value);
  if (network) return networks[network].name;
  const prefix = prefixOf(kind, action);
  if (prefix === undefined) return value;
  const words = wordsUnder(language, prefix);
  const separator = separators[kind];
  const named = (code: string) => words.get(code.replace('.', '_')) ?? code;
  return separator === undefined ? named(value) : value.split(', ').map(named).join(separator);
}

/** Names roles by their codes; one that has no name is as recorded. */
export function roleNames(codes: readonly string[], language: Language): string {
  const words = wordsUnder(language, 'team.role');
  return codes.map((code) => words.get(code) ?? code).join(', ');
}
