import type { ColumnKind, ExportColumn } from '@hengfu/contract/export-columns';
import { type Currency, currencies, formatAmount, parseAmount } from '@hengfu/contract/money';

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

const moneyCurrency: Partial<Record<ColumnKind, Currency>> = { usd: 'USD', usdt: 'USDT' };

/** Sums of the columns that are amounts, by currency. */
export class Sums {
  readonly #minor = new Map<string, bigint>();
  readonly #columns: readonly ExportColumn[];

  constructor(columns: readonly ExportColumn[]) {
    // A balance after each row adds up to nothing that anybody wants to know.
    this.#columns = columns.filter(
      ({ kind, key }) => ['money', 'usd', 'usdt'].includes(kind) && key !== 'balance',
    );
  }

  add(row: Row): void {
    for (const { key, kind } of this.#columns) {
      const currency = currencies.find((one) => one === (moneyCurrency[kind] ?? row.currency));
      const value = row[key];
      if (!currency || typeof value !== 'string') continue;
      const isNegative = value.startsWith('-');
      const minor = parseAmount(isNegative ? value.slice(1) : value, currency) ?? 0n;
      const name = `${key} ${currency}`;
      this.#minor.set(name, (this.#minor.get(name) ?? 0n) + (isNegative ? -minor : minor));
    }
  }

  /** As the wire has them. */
  list(): { key: string; currency: string; amount: string }[] {
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
    ...{ timeZone: zone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
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

/** A line of CSV (RFC 4180). Text that a spreadsheet would run is marked as text. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell({ kind, text }: Cell): string {
  if (text === null) return '';
  const safe = kind === 'text' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
