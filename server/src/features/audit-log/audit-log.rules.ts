import { isSettingKind } from '@hengfu/contract/approval-rules';
import { auditField } from '@hengfu/contract/audit-fields';
import type { AuditChange, RecordedAction } from '@hengfu/contract/audit-log';
import { type Currency, currencies, formatAmount } from '@hengfu/contract/money';
import { percentOf } from '@hengfu/contract/staff/merchant-terms';

/** The values that an action recorded, by field. */
export type Recorded = Readonly<Record<string, unknown>> | null;

/** Values of such fields are not shown, although none is known to reach the audit trail. */
const secret = /secret|password|token|hash/i;
const mask = '••••••';
const maxLength = 500;

/**
 * Fields that a merchant sees of what our staff did. Everything else that an operator's command recorded stays inside: its
 * reasons are for the audit trail alone, unless the merchant reads them elsewhere, too.
 */
const staffFields: Partial<Record<RecordedAction, readonly string[]>> = {
  'user.create': ['name', 'roles'],
  'role.create': ['name', 'description', 'permissions'],
  'role.change': ['name', 'description', 'permissions'],
  'role.retire': ['name', 'description', 'permissions'],
  'user.suspend': ['isSuspended'],
  'user.reactivate': ['isSuspended'],
  'merchant.create': ['code', 'name', 'currency', 'zone', 'cutOff'],
  'merchant.two_factor': ['isRequired'],
  'merchant.suspend': ['isSuspended'],
  'merchant.reactivate': ['isSuspended'],
  'merchant.see': ['reason', 'until'],
  'merchant.limits': [
    'payoutLimitMinor',
    'payoutDayLimitMinor',
    'withdrawalDayLimitMinor',
    'collectionLimitMinor',
  ],
  'merchant.settlement': ['settlementCycle', 'cutOff'],
  'ip_address.set': ['blocks'],
  'payout.reject': ['reason'],
  'payout-batch.reject': ['rows'],
  'topup.approved': ['amountMinor', 'arrivedUsdtMinor'],
  'topup.paid': ['amountMinor', 'arrivedUsdtMinor'],
  'topup.rejected': ['amountMinor', 'arrivedUsdtMinor', 'rejectReason'],
  'withdrawal.paid': ['transactionId'],
  'withdrawal.rejected': ['rejectReason'],
  'funds.funds_transfer_in': ['amount', 'currency'],
  'funds.funds_transfer_out': ['amount', 'currency'],
  'terms.set': [
    'channel',
    'collectionRatePpm',
    'collectionFixedMinor',
    'payoutRatePpm',
    'payoutFixedMinor',
    'refundFeeKept',
    'refundFromAvailable',
    'validFrom',
  ],
  'withdrawal_terms.set': ['feeUsdtMinor', 'freePerDay', 'minimumUsdtMinor'],
};

/** Returns what a merchant may see of the values that our staff's action recorded. */
export function visibleOfStaff(action: RecordedAction, recorded: Recorded): Recorded {
  const fields = staffFields[action] ?? [];
  return recorded && Object.fromEntries(Object.entries(recorded).filter(([field]) => fields.includes(field)));
}

/** Returns the fields whose values differ, in the order in which they were written. `currency`: of amounts that are recorded without one. */
export function changesOf(before: Recorded, after: Recorded, currency: Currency): AuditChange[] {
  const [old, fresh] = [unfolded(before), unfolded(after)];
  const fields = new Set([...Object.keys(old), ...Object.keys(fresh)]);
  return [...fields].flatMap((field) => {
    const [from, to] = [valueIn(old, field), valueIn(fresh, field)];
    if (JSON.stringify(from) === JSON.stringify(to)) return [];
    const [left, right] = essence(field, from, to);
    const text = (value: unknown, of: Recorded) => textOf(field, value, currencyIn(of) ?? currency);
    const change = { field: nameOfField(field), before: text(left, old), after: text(right, fresh) };
    // An empty list instead of nothing.
    return change.before === null && change.after === null ? [] : [change];
  });
}

/** Returns the name under which readers see a recorded field: without the unit of amounts. */
export function nameOfField(field: string): string {
  return field.replace(/(Usdt)?Minor$/, '') || field;
}

/** Fields that hold several values, each of which is a field of its own. */
const folders: ReadonlySet<string> = new Set(['csv', 'comparison']);
const suffixes: Readonly<Record<string, string>> = { en: '', 'zh-cn': 'ZhCn', vi: 'Vi' };

/** Returns recorded values with one field for each part of a value: for each language of a text, and each column of a mapping. */
export function unfolded(recorded: Recorded): Readonly<Record<string, unknown>> {
  const entries = Object.entries(recorded ?? {}).flatMap(([field, value]): [string, unknown][] => {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return [[field, value]];
    const parts = Object.entries(value);
    if (folders.has(field)) return parts.map(([part, each]) => [`${field}.${part}`, each]);
    const isText = parts.every(([part, each]) => Object.hasOwn(suffixes, part) && typeof each === 'string');
    return isText && parts.length > 0
      ? parts.map(([part, each]) => [`${field}${suffixes[part]}`, each])
      : [[field, value]];
  });
  return Object.fromEntries(entries);
}

/** Returns the currency that is recorded beside amounts. */
function currencyIn(recorded: Recorded): Currency | undefined {
  const code = valueIn(recorded, 'currency');
  return currencies.find((known) => known === code);
}

/** Replaces the codes of a merchant's own roles by their names. */
export function withNames(recorded: Recorded, names: Readonly<Record<string, string>> | null): Recorded {
  const roles = valueIn(recorded, 'roles');
  if (!names || !Array.isArray(roles)) return recorded;
  const nameOf = (code: unknown) => (Object.hasOwn(names, String(code)) ? names[String(code)] : code);
  return { ...recorded, roles: roles.map(nameOf) };
}

/** Replaces the IDs of the people whom approval rules name by their email addresses: a name could look like a role, or like more rules. */
export function withPeople(recorded: Recorded, people: Readonly<Record<string, string>> | null): Recorded {
  const rules = valueIn(recorded, 'rules');
  if (!people || !Array.isArray(rules)) return recorded;
  const named = rules.map((rule: RecordedRule | null) =>
    Array.isArray(rule?.people)
      ? { ...rule, people: rule.people.map((id) => (Object.hasOwn(people, id) ? people[id] : id)) }
      : rule,
  );
  return { ...recorded, rules: named };
}

/** A recorded value; null if there is none, whatever every object has by that name. */
function valueIn(recorded: Recorded, field: string): unknown {
  return recorded && Object.hasOwn(recorded, field) ? (recorded[field] ?? null) : null;
}

/** Reduces two long lists, and the permissions of a role, to what was removed and what was added. */
function essence(field: string, before: unknown, after: unknown): [unknown, unknown] {
  if (!Array.isArray(before) || !Array.isArray(after)) return [before, after];
  const isShort = Math.max(before.join(', ').length, after.join(', ').length) <= maxLength;
  if (isShort && field !== 'permissions') return [before, after];
  const [old, fresh] = [new Set(before), new Set(after)];
  return [before.filter((value) => !fresh.has(value)), after.filter((value) => !old.has(value))];
}

function textOf(field: string, value: unknown, currency: Currency): string | null {
  if (value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0))
    return null;
  if (secret.test(field)) return mask;
  if (field.endsWith('Ppm') && typeof value === 'number') return `${percentOf(value)}%`;
  if (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)) {
    const kind = auditField(nameOfField(field))?.kind;
    const unit = /usdtMinor$/i.test(field) || kind === 'usdt' ? 'USDT' : currency;
    if (field.endsWith('Minor') && !value.includes('.'))
      return `${formatAmount(BigInt(value), unit)} ${unit}`;
    if (kind === 'amount' || kind === 'usdt') return `${value} ${unit}`;
  }
  const text = Array.isArray(value)
    ? value.map((each) => partText(field, each, currency)).join(field === 'rules' ? '; ' : ', ')
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);
  const letters = Array.from(text);
  return letters.length > maxLength ? `${letters.slice(0, maxLength).join('')}…` : text;
}

/** One of several values as text: an approval rule, a row that was excluded from a batch, or a plain value. */
function partText(field: string, value: unknown, currency: Currency): string {
  if (value === null || typeof value !== 'object') return String(value);
  if (field === 'rules') {
    const { kind, amountMinor = '0', approvers, roles = [], people = [] } = value as RecordedRule;
    if (!/^\d+$/.test(amountMinor)) return JSON.stringify(value);
    const amount = isSettingKind(kind) ? [] : [`${formatAmount(BigInt(amountMinor), currency)} ${currency}`];
    const who = [...roles, ...people.map((each) => (/^\d+$/.test(each) ? `user:${each}` : each))].join('/');
    return [kind, ...amount, `${approvers} × ${who}`].join(' ');
  }
  if (field === 'excluded') {
    const { line, reason } = value as { line: number; reason: string };
    return `${line}: ${reason}`;
  }
  return JSON.stringify(value);
}

interface RecordedRule {
  kind: string;
  amountMinor?: string;
  approvers: number;
  roles?: readonly string[];
  people?: readonly string[];
}
