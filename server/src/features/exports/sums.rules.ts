import type { ColumnKind, ExportColumn } from '@hengfu/contract/export-columns';
import { type Currency, currencyScale, formatAmount } from '@hengfu/contract/money';

/** The sum of a column in one currency, as the API returns it. */
export interface AmountSum {
  key: string;
  currency: string;
  amount: string;
}

/** Currencies of amounts that are not in the row's currency. */
const moneyCurrency: Partial<Record<ColumnKind, Currency>> = { usd: 'USD', usdt: 'USDT' };

/** Returns the currency of a column's amounts, given the currency of the row. */
function currencyOf(kind: ColumnKind, rowCurrency: string): Currency {
  return moneyCurrency[kind] ?? (rowCurrency as Currency);
}

/** Returns the decimals of a column's numbers, given the currency of the row. */
export function scaleOf(kind: ColumnKind, rowCurrency: string): number {
  return kind === 'count' ? 0 : currencyScale[currencyOf(kind, rowCurrency)];
}

/** Whether a column is summed. Balances after each row are not. */
function isSummed({ kind, key }: ExportColumn): boolean {
  return ['money', 'usd', 'usdt'].includes(kind) && key !== 'balance';
}

/** Sums of the amount columns of a file, by currency. */
export class Sums {
  readonly #minor = new Map<string, bigint>();

  /** Adds the amount of one or several rows in a currency. Ignores a column that is not summed. */
  add(column: ExportColumn, rowCurrency: string, minor: bigint): void {
    if (!isSummed(column)) return;
    const name = `${column.key} ${currencyOf(column.kind, rowCurrency)}`;
    this.#minor.set(name, (this.#minor.get(name) ?? 0n) + minor);
  }

  /** Returns the sums in the order in which they began. */
  list(): AmountSum[] {
    return [...this.#minor].map(([name, minor]) => {
      const [key = '', currency = ''] = name.split(' ');
      return { key, currency, amount: formatAmount(minor, currency as Currency) };
    });
  }
}

/** Amounts of up to this many digits are added up as numbers, which is exact for all rows of a batch. */
const maxExactDigits = 12;
const [minus, zero] = [45, 48];

/** Adds up the numbers of rows, given as digits, without a bigint for each. */
export class Subtotals {
  readonly #columns: readonly ExportColumn[];
  readonly #sums: Sums;
  #currency = '';
  /** By column: the subtotal that is not in the sums yet; undefined if there is none. */
  #subtotals: (number | undefined)[] = [];

  constructor(columns: readonly ExportColumn[], sums: Sums) {
    this.#columns = columns;
    this.#sums = sums;
  }

  /** Switches to the currency of the rows that follow. */
  use(currency: string): void {
    this.addUp();
    this.#currency = currency;
  }

  /** Notes a number of a column, in minor units. */
  note(column: number, row: Buffer, from: number, to: number): void {
    const digits = row[from] === minus ? from + 1 : from;
    // Begins the sum even if the amount is added up later: sums are listed in the order of the first row.
    const subtotal = this.#subtotals[column] ?? this.#begin(column);
    if (to - digits > maxExactDigits) {
      this.#add(column, BigInt(row.toString('latin1', from, to)));
      return;
    }
    let amount = 0;
    for (let index = digits; index < to; index++) amount = amount * 10 + (row[index] as number) - zero;
    this.#subtotals[column] = subtotal + (digits > from ? -amount : amount);
  }

  /** Adds the subtotals to the sums. */
  addUp(): void {
    for (const [index, subtotal] of this.#subtotals.entries())
      if (subtotal !== undefined) this.#add(index, BigInt(subtotal));
    this.#subtotals = [];
  }

  #begin(column: number): number {
    this.#add(column, 0n);
    this.#subtotals[column] = 0;
    return 0;
  }

  #add(index: number, minor: bigint): void {
    const column = this.#columns[index];
    if (column) this.#sums.add(column, this.#currency, minor);
  }
}
