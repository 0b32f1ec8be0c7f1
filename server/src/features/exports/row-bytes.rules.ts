import type { ExportColumn } from '@hengfu/contract/export-columns';
import { copiedText } from '#db/copy-text.rules.ts';
import {
  type CellFormat,
  hasBytes,
  type RowBatch,
  type RowFormat,
  type WriteValue,
} from '#files/row-format.rules.ts';
import { Subtotals, type Sums, scaleOf } from './sums.rules.ts';

/** Returns the texts to show instead of a column's values; undefined if the values are shown as they are. */
export type PhrasesOf = (column: ExportColumn) => Readonly<Record<string, string>> | undefined;

const [tab, lineFeed, backslash] = [9, 10, 92];
const initialBytes = 65_536;
/** Length of a local time, to the second; PostgreSQL's text continues. */
const timeLength = '2026-05-01 09:30:00'.length;

/**
 * Converts rows in the text format of PostgreSQL's COPY (the row's currency, then the columns) to rows of a file, byte by byte.
 * The kind of a column decides what becomes of its fields, whatever the format of the file.
 */
export class RowBytes {
  readonly #format: RowFormat;
  readonly #writers: readonly WriteValue[];
  /** For rows with escapes: most have none. */
  readonly #decodingWriters: readonly WriteValue[];
  readonly #overheadBytes: number;
  readonly #currencies: Currencies;
  #out: Buffer = Buffer.allocUnsafe(initialBytes);
  /** Buffers of batches that were released. New ones for every batch would keep the garbage collector busy. */
  readonly #free: Buffer[] = [];
  #at = 0;
  #rows = 0;
  #partEnds: number[] = [];
  #rowOfPart = 0;

  constructor(format: RowFormat, columns: readonly ExportColumn[], phrasesOf: PhrasesOf, sums: Sums) {
    this.#format = format;
    this.#currencies = new Currencies(columns, sums);
    const phrases = columns.map(phrasesOf);
    const cells = columns.map((_, index) => format.cellsOf(index));
    const writersOf = (decode: (text: WriteValue) => WriteValue) =>
      columns.map((column, index) => {
        const to = cells[index] as CellFormat;
        const text = withPhrases(phrases[index], decode(to.text), to.text);
        return writerOf(column, index, { ...to, text }, this.#currencies);
      });
    this.#writers = writersOf((text) => text);
    this.#decodingWriters = writersOf(decoded);
    const longest = phrases.map((of) =>
      Math.max(0, ...Object.values(of ?? {}).map((text) => Buffer.byteLength(text))),
    );
    this.#overheadBytes = longest.reduce(
      (sum, length) => sum + format.growth * length + format.overheadBytes,
      format.overheadBytes,
    );
  }

  /** Appends a row. */
  add(row: Buffer): void {
    const format = this.#format;
    this.#makeRoom(format.growth * row.length + this.#overheadBytes);
    const out = this.#out;
    let at = format.startRow(this.#rowOfPart, out, this.#at);
    let from = endOfField(row, 0);
    this.#currencies.use(row, from);
    const writers = row.includes(backslash) ? this.#decodingWriters : this.#writers;
    for (let index = 0; index < writers.length; index++) {
      if (index > 0) at = format.separate(out, at);
      const to = endOfField(row, ++from);
      if (to > from) at = (writers[index] as WriteValue)(row, from, to, out, at);
      from = to;
    }
    this.#at = format.endRow(out, at);
    this.#rows++;
    this.#rowOfPart++;
    if (this.#rowOfPart < format.partRows) return;
    this.#partEnds.push(this.#at);
    this.#rowOfPart = 0;
  }

  /** Returns the rows added since the last call, and adds their amounts to the sums. */
  take(): RowBatch {
    this.#currencies.subtotals.addUp();
    const out = this.#out;
    const bytes = out.subarray(0, this.#at);
    const release = () => void this.#free.push(out);
    const batch = { length: this.#rows, bytes, partEnds: this.#partEnds, release };
    // The next batch is about as long.
    const wanted = Math.max(initialBytes, Math.ceil(1.25 * this.#at));
    const free = this.#free.pop();
    this.#out = free && free.length >= wanted ? free : Buffer.allocUnsafe(wanted);
    this.#at = 0;
    this.#rows = 0;
    this.#partEnds = [];
    return batch;
  }

  #makeRoom(bytes: number): void {
    if (this.#at + bytes <= this.#out.length) return;
    const wider = Buffer.allocUnsafe(2 * (this.#out.length + bytes));
    this.#out.copy(wider, 0, 0, this.#at);
    this.#out = wider;
  }
}

/** The currency of the current row: the decimals of each column's numbers, and their subtotals. */
class Currencies {
  readonly subtotals: Subtotals;
  readonly #columns: readonly ExportColumn[];
  #bytes = Buffer.alloc(0);
  #scales: number[] = [];

  constructor(columns: readonly ExportColumn[], sums: Sums) {
    this.#columns = columns;
    this.subtotals = new Subtotals(columns, sums);
  }

  /** Switches to the currency of a row, which ends at `to`; mostly the same as in the row before. */
  use(row: Buffer, to: number): void {
    if (isAt(row, 0, to, this.#bytes)) return;
    this.#bytes = Buffer.from(row.subarray(0, to));
    const currency = this.#bytes.toString();
    this.subtotals.use(currency);
    this.#scales = this.#columns.map(({ kind }) => scaleOf(kind, currency));
  }

  scaleOf(column: number): number {
    return this.#scales[column] ?? 0;
  }
}

function endOfField(row: Buffer, from: number): number {
  let at = from;
  for (let byte = row[at]; byte !== tab && byte !== lineFeed && byte !== undefined; byte = row[at]) at++;
  return at;
}

/** Decides how the fields of a column become cells. */
function writerOf(
  { kind }: ExportColumn,
  index: number,
  cells: CellFormat,
  currencies: Currencies,
): WriteValue {
  switch (kind) {
    case 'text':
    case 'choice':
      return cells.text;
    case 'time':
      return (row, from, to, out, at) => cells.time(row, from, Math.min(to, from + timeLength), out, at);
    case 'date':
      return cells.date;
    default:
      return (row, from, to, out, at) => {
        currencies.subtotals.note(index, row, from, to);
        return cells.number(row, from, to, out, at, currencies.scaleOf(index));
      };
  }
}

/** Writes texts that may contain the escapes of COPY: of tabs, line breaks and backslashes. */
function decoded(text: WriteValue): WriteValue {
  return (row, from, to, out, at) => {
    const value = Buffer.from(copiedText(row.toString('utf8', from, to)));
    return text(value, 0, value.length, out, at);
  };
}

/** Up to this many phrases are searched one by one; more are looked up by the text of their value. */
const maxScannedPhrases = 16;

/** Writes phrases instead of the values that have one, and other values as they are. */
function withPhrases(
  phrases: Readonly<Record<string, string>> | undefined,
  writeValue: WriteValue,
  writePhrase: WriteValue,
): WriteValue {
  if (!phrases) return writeValue;
  const known = Object.entries(phrases).map(([value, phrase]) => ({
    value: Buffer.from(value),
    phrase: Buffer.from(phrase),
  }));
  const byText = new Map(known.map((one) => [one.value.toString(), one]));
  return (row, from, to, out, at) => {
    const found =
      known.length > maxScannedPhrases
        ? byText.get(row.toString('utf8', from, to))
        : known.find(({ value }) => isAt(row, from, to, value));
    if (!found) return writeValue(row, from, to, out, at);
    return writePhrase(found.phrase, 0, found.phrase.length, out, at);
  };
}

function isAt(row: Buffer, from: number, to: number, value: Buffer): boolean {
  return to - from === value.length && hasBytes(row, from, value);
}
