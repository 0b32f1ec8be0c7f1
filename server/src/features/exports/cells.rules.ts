import { csvText } from '@hengfu/contract/csv';
import type { ColumnKind, ExportColumn } from '@hengfu/contract/export-columns';
import { type Currency, currencies, currencyScale, formatAmount } from '@hengfu/contract/money';

/** A value of a file: what is shown, and what kind of thing it is. Null is an empty cell. */
export interface Cell {
  kind: 'text' | 'number' | 'time' | 'date';
  /** A number in plain digits; a time as the clock of the file's zone shows it. */
  text: string | null;
  /** Decimals that a number is shown with. */
  scale?: number;
}

/** How the values of a file are told. */
export interface Telling {
  /** The phrase of a choice's value. */
  choice: (prefix: string, value: string) => string;
  /** An instant as the zone's clock shows it: "2026-05-01 09:30:00". */
  clock: (instant: string) => string;
}

type Row = Readonly<Record<string, unknown>>;

/** A row of a list as the file's cells, in the order of its columns. */
export function cellsOf(row: Row, columns: readonly ExportColumn[], telling: Telling): Cell[] {
  return columns.map(({ key, kind, values }) => {
    const value = row[key];
    if (value === null || value === undefined || value === '') return { kind: 'text', text: null };
    const text = String(value);
    if (kind === 'choice') return { kind: 'text', text: telling.choice(values ?? '', text) };
    if (kind === 'time') return { kind: 'time', text: telling.clock(text) };
    if (kind === 'date') return { kind: 'date', text };
    if (kind === 'text') return { kind: 'text', text };
    return { kind: 'number', text, scale: text.split('.')[1]?.length ?? 0 };
  });
}

/** The currency of amounts that are not in the row's own. */
const moneyCurrency: Partial<Record<ColumnKind, Currency>> = { usd: 'USD', usdt: 'USDT' };

/** What a column adds up to in one currency, as the wire has it. */
export interface AmountSum {
  key: string;
  currency: string;
  amount: string;
}

/** Whether a column adds up to anything: a balance after each row does not. */
function isSummed({ kind, key }: ExportColumn): boolean {
  return ['money', 'usd', 'usdt'].includes(kind) && key !== 'balance';
}

/** Sums of the columns that are amounts, by currency. */
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
      // With all of its currency's decimals, and of any length: a batch can be more than any order.
      this.addMinor(column, currency, BigInt(value.replace('.', '')));
    }
  }

  /** Adds what a column holds of a row, or of several, of a currency; nothing of one that is not summed. */
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

/** A zone's clock: instants as it shows them. Offsets change at quarter hours only, so each is asked for once. */
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

/** Writes a line of CSV (RFC 4180): texts in quotes, with nothing in them that a spreadsheet would run; figures as they are. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell({ kind, text }: Cell): string {
  if (text === null) return '';
  return kind === 'text' ? csvText(text) : text;
}

/** A row as the database writes it: the text of its currency, then that of each column; empty where there is none. */
type Fields = readonly string[];
/** Tells a value that is there, of a row in a currency. */
type Teller = (value: string, currency: string) => string;
/** What is shown in place of a column's values; undefined where they are shown themselves. */
export type PhrasesOf = (column: ExportColumn) => Readonly<Record<string, string>> | undefined;

/** How long an instant is as a clock shows it, to the second. */
export const clockLength = '2026-05-01 09:30:00'.length;

function tellerOf(column: ExportColumn, phrasesOf: PhrasesOf): Teller {
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

/** The currency of a column's amounts, of a row in a currency. */
function currencyOf(kind: ColumnKind, rowCurrency: string): Currency {
  return moneyCurrency[kind] ?? (rowCurrency as Currency);
}

/** Decimals of them. */
export function scaleOf(kind: ColumnKind, rowCurrency: string): number {
  return currencyScale[currencyOf(kind, rowCurrency)];
}

const cellKinds: Partial<Record<ColumnKind, Cell['kind']>> = {
  text: 'text',
  choice: 'text',
  time: 'time',
  date: 'date',
};

/** Makes cells of rows of the database's own, and adds up what is summed. */
export function cellWriter(
  columns: readonly ExportColumn[],
  phrasesOf: PhrasesOf,
  sums: Sums,
): (row: Fields) => Cell[] {
  const tellers = columns.map((column) => tellerOf(column, phrasesOf));
  return (row) => {
    const [currency = ''] = row;
    return columns.map((column, index) => {
      const { kind } = column;
      const value = row[index + 1];
      if (!value) return { kind: 'text', text: null };
      const text = (tellers[index] as Teller)(value, currency);
      const cellKind = cellKinds[kind];
      if (cellKind) return { kind: cellKind, text };
      sums.addMinor(column, currency, BigInt(value));
      return { kind: 'number', text, scale: kind === 'count' ? 0 : scaleOf(kind, currency) };
    });
  };
}
