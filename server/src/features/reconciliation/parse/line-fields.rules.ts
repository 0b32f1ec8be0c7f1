import { type Currency, currencyScale } from '@hengfu/contract/money';
import type { StatementFault } from '@hengfu/contract/staff/statement-days';

/** One movement on a statement. Positive came in at the bank. */
export interface ParsedLine {
  lineNo: number;
  /** Our number; empty if the bank wrote none. */
  reference: string;
  amountMinor: bigint;
  /** YYYY-MM-DD. */
  valueDay: string | null;
  bankReference: string;
  text: string;
}

/** The balances that a file states, if it states any. */
export interface StatedBalances {
  openingMinor: bigint | null;
  closingMinor: bigint | null;
}

/** A file that cannot be read, with the line where it fails; 0 for the file as a whole. */
export class UnreadableStatement extends Error {
  readonly fault: StatementFault;
  readonly line: number;

  constructor(fault: StatementFault, line = 0) {
    super(`${fault} at line ${line}`);
    this.fault = fault;
    this.line = line;
  }
}

/** Longest number of ours, and longest text of a line that is kept. */
export const maxReferenceLength = 140;
export const maxTextLength = 500;
/** Digits before the decimal mark: the sums of a day stay inside PostgreSQL's bigint. */
const maxWholeDigits = 12;

/**
 * Parses an amount of a statement into minor units: with a sign, in parentheses for a negative one, and with marks between
 * thousands. Undefined if it is none of that currency. Never rounds: only zeros may follow the currency's decimals.
 */
export function parseStatementAmount(
  text: string,
  currency: Currency,
  decimalMark: 'point' | 'comma' = 'point',
): bigint | undefined {
  const isPoint = decimalMark === 'point';
  const bare = text.trim();
  const inner = /^\((.*)\)$/.exec(bare)?.[1];
  const pattern = isPoint
    ? /^([-+−]?)(\d+|\d{1,3}(?:[, '’\u00a0\u202f]\d{3})+)(?:\.(\d*))?$/
    : /^([-+−]?)(\d+|\d{1,3}(?:[. '’\u00a0\u202f]\d{3})+)(?:,(\d*))?$/;
  const match = pattern.exec(inner ?? bare);
  if (!match || (inner !== undefined && match[1] !== '')) return undefined;
  const [, sign, whole = '', decimals = ''] = match;
  const digits = whole.replaceAll(/\D/g, '').replace(/^0+(?=\d)/, '');
  const scale = currencyScale[currency];
  if (digits.length > maxWholeDigits || /[1-9]/.test(decimals.slice(scale))) return undefined;
  const minor = BigInt(digits + decimals.slice(0, scale).padEnd(scale, '0'));
  return inner !== undefined || sign === '-' || sign === '−' ? -minor : minor;
}
