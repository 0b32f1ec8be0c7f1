import * as z from 'zod';
import { phrase } from './phrase.ts';

/** Decimals of each currency the product knows (ISO 4217; USDT as on its chains). */
export const currencyScale = { CNY: 2, USD: 2, INR: 2, BRL: 2, VND: 0, USDT: 6 } as const;
export type Currency = keyof typeof currencyScale;
export const currencies = Object.keys(currencyScale) as [Currency, ...Currency[]];
export const currency = z.enum(currencies, phrase('validation.currency'));

/** Maximum digits before the decimal point: stays inside PostgreSQL's bigint at six decimals. */
const maxWholeDigits = 12;
const amountPattern = /^(0|[1-9]\d*)(?:\.(\d+))?$/;

/**
 * Parses a decimal amount into minor units ("12.30" CNY → 1230n); undefined if the text is not a plain
 * decimal number of that currency. Never rounds: too many decimals make it invalid.
 */
export function parseAmount(text: string, of: Currency): bigint | undefined {
  const match = amountPattern.exec(text);
  const whole = match?.[1];
  if (whole === undefined || whole.length > maxWholeDigits) return undefined;
  const decimals = match?.[2] ?? '';
  const scale = currencyScale[of];
  if (decimals.length > scale) return undefined;
  return BigInt(whole + decimals.padEnd(scale, '0'));
}

/**
 * Reads an amount that the server has written, in minor units: of any size, with a sign where it is negative. Throws RangeError for
 * another text.
 */
export function minorOf(text: string, of: Currency): bigint {
  const [, sign, whole = '', decimals = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  const scale = currencyScale[of];
  if (whole === '' || decimals.length > scale) throw new RangeError(`not an amount of ${of}: ${text}`);
  const minor = BigInt(whole + decimals.padEnd(scale, '0'));
  return sign === '-' ? -minor : minor;
}

/** Formats minor units as decimal text, always with all of the currency's decimals: 1230n CNY → "12.30". */
export function formatAmount(amountMinor: bigint, of: Currency): string {
  const scale = currencyScale[of];
  const sign = amountMinor < 0n ? '-' : '';
  const digits = (amountMinor < 0n ? -amountMinor : amountMinor).toString().padStart(scale + 1, '0');
  if (scale === 0) return sign + digits;
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** An amount on the wire: a decimal string, sign only where a figure can be negative. */
export const amount = z.string().regex(/^-?\d+(\.\d+)?$/);

/** An amount that a caller sends: plain decimal digits, checked against its currency by {@link checkAmount}. */
export const amountInput = z
  .string(phrase('validation.amount'))
  .max(maxWholeDigits + 7, phrase('validation.amount'))
  .regex(amountPattern, phrase('validation.amount'));

/** For `superRefine`: checks that the amount fits its currency's decimals and is above zero. */
export function checkAmount(value: { amount: string; currency: Currency }, context: z.RefinementCtx): void {
  const minor = parseAmount(value.amount, value.currency);
  if (minor === undefined || minor <= 0n) {
    context.addIssue({ code: 'custom', path: ['amount'], message: phrase('validation.amount') });
  }
}
