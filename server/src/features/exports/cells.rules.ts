import { csvText } from '@hengfu/contract/csv';
import type { ColumnKind, ExportColumn } from '@hengfu/contract/export-columns';
import { type Currency, currencies, currencyScale, formatAmount } from '@hengfu/contract/money';

/** A cell of a file: its text and its kind. */
export interface Cell {
  kind: 'text' | 'number' | 'time' | 'date';
  /** A number in plain digits; a time in the file's zone; null for an empty cell. */
  text: string | null;
  /** Number of decimals to show of a number. */
  scale?: number;
}

/** Formatters for the values of a file. */
export interface Formatters {
  /** Returns the phrase of a choice's value. */
  choice: (prefix: string, value: string) => string;
  /** Returns the name that a column shows for a code. */
  name: (column: ExportColumn, code: string) => string;
  /** Formats an instant in the zone: "2026-05-01 09:30:00". */
  clock: (instant: string) => string;
}

type Row = Readonly<Record<string, unknown>>;

/** Converts a row of a list to cells, in the order of the columns. */
export function cellsOf(row: Row, columns: readonly ExportColumn[], format: Formatters): Cell[] {
  return columns.map((column) => {
    const { key, kind, values } = column;
    const value = row[key];
    if (value === null || value === undefined || value === '') return { kind: 'text', text: null };
    const text = String(value);
    if (kind === 'choice') return { kind: 'text', text: format.choice(values ?? '', text) };
    if (kind === 'time') return { kind: 'time', text: format.clock(text) };
    if (kind === 'date') return { kind: 'date', text };
    if (kind === 'text') return { kind: 'text', text: format.name(column, text) };
    return { kind: 'number', text, scale: text.split('.')[1]?.length ?? 0 };
  });
}

/** Currencies of amounts that are not in the row's currency. */
const moneyCurrency: Partial<Record<ColumnKind, Currency>> = { usd: 'USD', usdt: 'USDT' };

/** The sum of a column in one currency, as the API returns it. */
export interface AmountSum {
  key: string;
  currency: string;
  amount: string;
}

/** Whether a column is summed. Balances after each row are not. */
function isSummed({ kind, key }: ExportColumn): boolean {
  return ['money', 'usd', 'usdt'].includes(kind) && key !== 'balance';
}

/** Sums of the amount columns, by currency. */
export class Sums {
  readonly #minor = new Map<string, bigint>();
  readonly #columns: readonly ExportColumn[];

  constructor(columns: readonly ExportColumn[]) {
    this.#columns = columns.filter(isSummed);
  }

  add(row: Row): void {
    for (const column of this.#columns) {
      const currency = currencies.find((one) => one === (moneyCurrency[column.kind] ?? row.currency));
      const value = row[column.key];
      if (!currency || typeof value !== 'string') continue;
      // Has all of its currency's decimals, and any length: a batch can exceed the largest order.
      this.addMinor(column, currency, BigInt(value.replace('.', '')));
    }
  }

  /** Adds the amount of one or several rows in a currency. Ignores a column that is not summed. */
  addMinor(column: ExportColumn, rowCurrency: string, minor: bigint): void {
    if (!isSummed(column)) return;
    const name = `${column.key} ${currencyOf(column.kind, rowCurrency)}`;
    this.#minor.set(name, (this.#minor.get(name) ?? 0n) + minor);
  }

  list(): AmountSum[] {
    return [...this.#minor].map(([name, minor]) => {
      const [key = '', currency = ''] = name.split(' ');
      return { key, currency, amount: formatAmount(minor, currency as Currency) };
    });
  }
}

const quarterMs = 900_000;

/** Returns a formatter of instants in a zone. Caches offsets, which change at quarter hours only. */
export function clockOf(zone: string): (instant: string) => string {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  const offsets = new Map<number, number>();
  const offsetAt = (atMs: number): number => {
    const quarter = Math.floor(atMs / quarterMs);
    const known = offsets.get(quarter);
    if (known !== undefined) return known;
    const startMs = quarter * quarterMs;
    const parts = Object.fromEntries(
      format.formatToParts(startMs).map(({ type, value }) => [type, Number(value)]),
    );
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    const offset = Date.UTC(year, month - 1, day, hour, minute, second) - startMs;
    offsets.set(quarter, offset);
    return offset;
  };
  return (instant) => {
    const atMs = Date.parse(instant);
    return new Date(atMs + offsetAt(atMs)).toISOString().slice(0, 19).replace('T', ' ');
  };
}

/** Writes a line of CSV (RFC 4180): texts quoted and safe from formula injection, figures as they are. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell({ kind, text }: Cell): string {
  if (text === null) return '';
  return kind === 'text' ? csvText(text) : text;
}

/** A row as the database writes it: its currency, then the text of each column; empty for null. */
type Fields = readonly string[];
/** Formats a non-empty value of a row in a currency. */
type FormatValue = (value: string, currency: string) => string;
/** Returns the texts to show instead of a column's values; undefined if the values are shown as they are. */
export type PhrasesOf = (column: ExportColumn) => Readonly<Record<string, string>> | undefined;

/** Length of a formatted instant, to the second. */
export const clockLength = '2026-05-01 09:30:00'.length;

function formatterOf(column: ExportColumn, phrasesOf: PhrasesOf): FormatValue {
  const phrases = phrasesOf(column);
  if (phrases) {
    const known = new Map(Object.entries(phrases));
    return (value) => known.get(value) ?? value;
  }
  const { kind } = column;
  switch (kind) {
    case 'time':
      return (value) => value.slice(0, clockLength);
    case 'text':
    case 'choice':
    case 'count':
    case 'date':
      return (value) => value;
    default:
      return (value, currency) => formatAmount(BigInt(value), currencyOf(kind, currency));
  }
}

/** Returns the currency of a column's amounts, given the currency of the row. */
function currencyOf(kind: ColumnKind, rowCurrency: string): Currency {
  return moneyCurrency[kind] ?? (rowCurrency as Currency);
}

/** Returns the decimals of a column's amounts, given the currency of the row. */
export function scaleOf(kind: ColumnKind, rowCurrency: string): number {
  return currencyScale[currencyOf(kind, rowCurrency)];
}

const cellKinds: Partial<Record<ColumnKind, Cell['kind']>> = {
  text: 'text',
  choice: 'text',
  time: 'time',
  date: 'date',
};

/** Returns a function that converts rows of the database to cells and adds up the summed columns. */
export function cellWriter(
  columns: readonly ExportColumn[],
  phrasesOf: PhrasesOf,
  sums: Sums,
): (row: Fields) => Cell[] {
  const formatters = columns.map((column) => formatterOf(column, phrasesOf));
  return (row) => {
    const [currency = ''] = row;
    return columns.map((column, index) => {
      const { kind } = column;
      const value = row[index + 1];
      if (!value) return { kind: 'text', text: null };
      const text = (formatters[index] as FormatValue)(value, currency);
      const cellKind = cellKinds[kind];
      if (cellKind) return { kind: cellKind, text };
      sums.addMinor(column, currency, BigInt(value));
      return { kind: 'number', text, scale: kind === 'count' ? 0 : scaleOf(kind, currency) };
    });
  };
}
