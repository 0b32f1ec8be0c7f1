import type { AuditChange, RecordedAction } from '@hengfu/contract/audit-log';
import { type Currency, formatAmount } from '@hengfu/contract/money';

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

/** Returns the fields whose values differ, in the order in which they were written. */
export function changesOf(before: Recorded, after: Recorded, currency: Currency): AuditChange[] {
  const fields = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...fields].flatMap((field) => {
    const [from, to] = [valueIn(before, field), valueIn(after, field)];
    if (JSON.stringify(from) === JSON.stringify(to)) return [];
    const [left, right] = essence(field, from, to);
    const name = field.replace(/(Usdt)?Minor$/, '');
    const text = (value: unknown) => textOf(field, value, currency);
    return [{ field: name === '' ? field : name, before: text(left), after: text(right) }];
  });
}

/** Replaces the codes of a merchant's own roles by their names. */
export function withNames(recorded: Recorded, names: Readonly<Record<string, string>> | null): Recorded {
  const roles = valueIn(recorded, 'roles');
  if (!names || !Array.isArray(roles)) return recorded;
  const nameOf = (code: unknown) => (Object.hasOwn(names, String(code)) ? names[String(code)] : code);
  return { ...recorded, roles: roles.map(nameOf) };
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
  if (typeof value === 'string' && /^-?\d+$/.test(value)) {
    if (/usdtMinor$/i.test(field)) return `${formatAmount(BigInt(value), 'USDT')} USDT`;
    if (field.endsWith('Minor')) return `${formatAmount(BigInt(value), currency)} ${currency}`;
  }
  const text = Array.isArray(value)
    ? value.map(String).join(', ')
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);
  const letters = Array.from(text);
  return letters.length > maxLength ? `${letters.slice(0, maxLength).join('')}…` : text;
}
