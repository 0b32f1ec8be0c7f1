import { csvText } from '@hengfu/contract/csv';
import type { ExportColumn } from '@hengfu/contract/export-columns';
import type { Language } from '@hengfu/contract/languages';
import { type Currency, currencyScale, formatAmount } from '@hengfu/contract/money';
import { isPhrase, translate } from '#domain/language.ts';

/** A row as the API returns it. */
type Row = Readonly<Record<string, unknown>>;

/** A cell of a file: the text that a person reads, and its kind. A number has this many decimals. */
export interface PlainCell {
  kind: 'text' | 'number' | 'time' | 'date';
  text: string;
  scale?: number;
}

/** A cell of a sheet as a reader finds it: text or a number, and the number format that shows it. */
export interface PlainSheetCell {
  type: 'text' | 'number';
  value: string;
  format: string;
}

/** Language and time zone of a file. */
interface Locale {
  language: Language;
  zone: string;
}

/**
 * Converts an API row to cells in the plainest way, string by string; undefined for an empty cell. Tests compare the files of
 * exports, which are written byte by byte, with these cells.
 */
export function plainCells(
  row: Row,
  columns: readonly ExportColumn[],
  { language, zone }: Locale,
): (PlainCell | undefined)[] {
  return columns.map(({ key, kind, values, namesIn }) => {
    const value = row[key];
    if (value === null || value === undefined || value === '') return undefined;
    const text = String(value);
    switch (kind) {
      case 'choice':
        return { kind: 'text', text: phraseOf(language, `${values}.${text}`) ?? text };
      case 'text':
        return { kind, text: namesIn?.(language)[text] ?? text };
      case 'time':
        return { kind, text: clock(text, zone) };
      case 'date':
        return { kind, text };
      default:
        return { kind: 'number', text, scale: text.split('.')[1]?.length ?? 0 };
    }
  });
}

function phraseOf(language: Language, key: string): string | undefined {
  return isPhrase(key) ? translate(language, key) : undefined;
}

/** The Swedish form of a date and time is that of ISO 8601, without the T. */
const clock = (instant: string, zone: string) =>
  new Date(instant).toLocaleString('sv-SE', { timeZone: zone });

/** A line of CSV. */
export function plainLine(cells: readonly (PlainCell | undefined)[]): string {
  const fields = cells.map((cell) => {
    if (!cell) return '';
    return cell.kind === 'text' ? csvText(cell.text) : cell.text;
  });
  return `${fields.join(',')}\r\n`;
}

const dayMs = 86_400_000;
/** Excel's day zero. */
const epochMs = Date.UTC(1899, 11, 30);
const serialOf = (local: string) => String((Date.parse(local) - epochMs) / dayMs);
/** Excel keeps this many digits. */
const keptDigits = 15;
const numberFormats: Readonly<Record<number, string>> = { 0: '#,##0', 2: '#,##0.00', 6: '#,##0.000000' };

/** The cells of a sheet's row; none after the last one with content. */
export function plainSheetRow(cells: readonly (PlainCell | undefined)[]): (PlainSheetCell | undefined)[] {
  return cells.slice(0, cells.findLastIndex((cell) => cell !== undefined) + 1).map(plainSheetCell);
}

function plainSheetCell(cell: PlainCell | undefined): PlainSheetCell | undefined {
  if (!cell) return undefined;
  const { kind, text, scale = 0 } = cell;
  if (kind === 'time')
    return {
      type: 'number',
      value: serialOf(`${text.replace(' ', 'T')}Z`),
      format: 'yyyy\\-mm\\-dd\\ hh:mm:ss',
    };
  if (kind === 'date')
    return { type: 'number', value: serialOf(`${text}T00:00:00Z`), format: 'yyyy\\-mm\\-dd' };
  if (kind === 'text' || text.replaceAll(/\D/g, '').length > keptDigits)
    return { type: 'text', value: xmlText(text), format: '@' };
  return { type: 'number', value: text, format: numberFormats[scale] ?? 'unknown' };
}

/** A text without the characters that XML 1.0 cannot contain. */
export function xmlText(text: string): string {
  return text.replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '');
}

const ownCurrencies: Readonly<Record<string, Currency>> = { usd: 'USD', usdt: 'USDT' };

/** The sums of the amount columns by currency, sorted. Balances are not summed. */
export function plainSums(rows: readonly Row[], columns: readonly ExportColumn[]): string[] {
  const sums = new Map<string, bigint>();
  for (const row of rows)
    for (const { key, kind } of columns) {
      const value = row[key];
      if (!['money', 'usd', 'usdt'].includes(kind) || key === 'balance' || typeof value !== 'string')
        continue;
      const currency = ownCurrencies[kind] ?? (row.currency as Currency);
      const name = `${key} ${currency}`;
      const [whole = '', decimals = ''] = value.split('.');
      sums.set(name, (sums.get(name) ?? 0n) + BigInt(whole + decimals.padEnd(currencyScale[currency], '0')));
    }
  return [...sums]
    .map(([name, minor]) => `${name} ${formatAmount(minor, name.split(' ')[1] as Currency)}`)
    .sort();
}
