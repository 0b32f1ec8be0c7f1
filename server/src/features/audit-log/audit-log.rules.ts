import type { AuditChange } from '@hengfu/contract/audit-log';
import { type Currency, formatAmount } from '@hengfu/contract/money';

/** The values that an action recorded, by field. */
type Recorded = Readonly<Record<string, unknown>> | null;

/** Values of such fields are not shown, although none is known to reach the audit trail. */
const secret = /secret|password|token|hash/i;
const mask = '••••••';
const maxLength = 500;

/** Returns the fields whose values differ, in the order in which they were written. */
export function changesOf(before: Recorded, after: Recorded, currency: Currency): AuditChange[] {
  const fields = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...fields].flatMap((field) => {
    const [from, to] = [before?.[field], after?.[field]].map((value) => textOf(field, value, currency));
    const name = field.replace(/(Usdt)?Minor$/, '');
    return from === to
      ? []
      : [{ field: name === '' ? field : name, before: from ?? null, after: to ?? null }];
  });
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
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}
