import { csvText } from '@hengfu/contract/csv';
import type { ExportColumn } from '@hengfu/contract/export-columns';
import { clockLength, type PhrasesOf, type Sums, scaleOf } from './cells.rules.ts';

/** Lines of a CSV file, as bytes. */
export interface Lines {
  /** How many they are. */
  length: number;
  bytes: Buffer;
}

/** Writes the field from `from` to `to` of a row behind `at` of what is written; answers where that ends. */
type FieldWriter = (row: Buffer, from: number, to: number, out: Buffer, at: number) => number;

const [tab, lineFeed, carriageReturn] = [9, 10, 13];
const [quote, comma, minus, dot, zero, semicolon, backslash] = [34, 44, 45, 46, 48, 59, 92];

const firstBytes = 65_536;
/** Room that a field may take beside its own bytes: a comma, a decimal point with zeros before it, quotes, an apostrophe. */
const roomOfField = 16;

/**
 * Writes rows as the database copies them out (PostgreSQL's text format: the row's currency, then the columns) as lines of
 * CSV, byte by byte: the same as `csvLine` of their cells, at a fraction of its cost.
 */
export class LineBytes {
  readonly #writers: readonly FieldWriter[];
  readonly #room: number;
  readonly #amounts: Amounts;
  #out = Buffer.allocUnsafe(firstBytes);
  #at = 0;
  #rows = 0;

  constructor(columns: readonly ExportColumn[], phrasesOf: PhrasesOf, sums: Sums) {
    this.#amounts = new Amounts(columns, sums);
    const phrases = columns.map(phrasesOf);
    this.#writers = columns.map((column, index) => writerOf(column, index, phrases[index], this.#amounts));
    const longest = phrases.map((of) => Math.max(0, ...Object.values(of ?? {}).map((text) => text.length)));
    // A sign of a phrase takes three bytes at the most, one of a value two where it is a quote.
    this.#room = longest.reduce((sum, length) => sum + 3 * length + roomOfField, 2);
  }

  /** Writes a row's line. */
  add(row: Buffer): void {
    this.#makeRoom(3 * row.length + this.#room);
    const out = this.#out;
    let at = this.#at;
    let from = endOfField(row, 0);
    this.#amounts.use(row, from);
    for (const [index, write] of this.#writers.entries()) {
      if (index > 0) out[at++] = comma;
      const to = endOfField(row, ++from);
      if (to > from) at = write(row, from, to, out, at);
      from = to;
    }
    out[at++] = carriageReturn;
    out[at++] = lineFeed;
    this.#at = at;
    this.#rows++;
  }

  /** What was written since this was last asked; what it comes to is with the sums. */
  take(): Lines {
    this.#amounts.addUp();
    const lines = { length: this.#rows, bytes: this.#out.subarray(0, this.#at) };
    this.#out = Buffer.allocUnsafe(Math.max(firstBytes, this.#at));
    this.#at = 0;
    this.#rows = 0;
    return lines;
  }

  #makeRoom(bytes: number): void {
    if (this.#at + bytes <= this.#out.length) return;
    const wider = Buffer.allocUnsafe(2 * (this.#out.length + bytes));
    this.#out.copy(wider, 0, 0, this.#at);
    this.#out = wider;
  }
}

/** Sums of so many digits at the most are exact as numbers, of all the rows between two pauses. */
const exactDigits = 12;

/** The amounts of rows: their decimals, and what they come to. */
class Amounts {
  readonly #columns: readonly ExportColumn[];
  readonly #sums: Sums;
  #currencyBytes = Buffer.alloc(0);
  #currency = '';
  /** By column: its decimals, and what is not added up yet; undefined where there was none. */
  #scales: number[] = [];
  #open: (number | undefined)[] = [];

  constructor(columns: readonly ExportColumn[], sums: Sums) {
    this.#columns = columns;
    this.#sums = sums;
  }

  /** Takes up the currency of a row, which ends at `to`; it is mostly that of the row before. */
  use(row: Buffer, to: number): void {
    const known = this.#currencyBytes;
    if (to === known.length && isAt(row, 0, to, known)) return;
    this.addUp();
    this.#currencyBytes = Buffer.from(row.subarray(0, to));
    this.#currency = this.#currencyBytes.toString();
    this.#scales = this.#columns.map(({ kind }) => scaleOf(kind, this.#currency));
  }

  /** Minor units with all the decimals of their currency. */
  write(column: number, row: Buffer, from: number, to: number, out: Buffer, at: number): number {
    const scale = this.#scales[column] ?? 0;
    const isNegative = row[from] === minus;
    const digits = isNegative ? from + 1 : from;
    this.#note(column, row, from, digits, to);
    let end = at;
    if (isNegative) out[end++] = minus;
    if (scale === 0) return copy(row, digits, to, out, end);
    const whole = Math.max(digits, to - scale);
    if (whole === digits) out[end++] = zero;
    else end = copy(row, digits, whole, out, end);
    out[end++] = dot;
    for (let missing = scale - (to - whole); missing > 0; missing--) out[end++] = zero;
    return copy(row, whole, to, out, end);
  }

  addUp(): void {
    for (const [index, open] of this.#open.entries()) if (open !== undefined) this.#add(index, BigInt(open));
    this.#open = [];
  }

  #note(column: number, row: Buffer, from: number, digits: number, to: number): void {
    if (to - digits > exactDigits) {
      this.#add(column, BigInt(row.toString('latin1', from, to)));
      return;
    }
    let amount = 0;
    for (let index = digits; index < to; index++) amount = amount * 10 + (row[index] as number) - zero;
    this.#open[column] = (this.#open[column] ?? 0) + (digits > from ? -amount : amount);
  }

  #add(index: number, minor: bigint): void {
    const column = this.#columns[index];
    if (column) this.#sums.addMinor(column, this.#currency, minor);
  }
}

function endOfField(row: Buffer, from: number): number {
  let at = from;
  for (let byte = row[at]; byte !== tab && byte !== lineFeed && byte !== undefined; byte = row[at]) at++;
  return at;
}

function writerOf(
  { kind }: ExportColumn,
  index: number,
  phrases: Readonly<Record<string, string>> | undefined,
  amounts: Amounts,
): FieldWriter {
  if (phrases) return phraseWriter(phrases);
  switch (kind) {
    case 'text':
    case 'choice':
      return writeText;
    case 'time':
      return (row, from, to, out, at) => copy(row, from, Math.min(to, from + clockLength), out, at);
    case 'count':
    case 'date':
      return copy;
    default:
      return (row, from, to, out, at) => amounts.write(index, row, from, to, out, at);
  }
}

function copy(row: Buffer, from: number, to: number, out: Buffer, at: number): number {
  let end = at;
  for (let index = from; index < to; index++) out[end++] = row[index] as number;
  return end;
}

/**
 * First bytes of UTF-8 that begin no text which needs a mark: ASCII letters and digits, U+00C0 to U+033F, U+0380 to
 * U+05FF, U+4000 to U+DFFF. Characters that readers drop or run begin with others (formulas.test.ts looks at each).
 */
const plainStarts = Uint8Array.from({ length: 256 }, (_, byte) => {
  const isAlphanumeric = /[A-Za-z0-9]/.test(String.fromCharCode(byte)) && byte < 0x80;
  const isLetterLead = (byte >= 0xc3 && byte <= 0xd7 && byte !== 0xcd) || (byte >= 0xe4 && byte <= 0xed);
  return isAlphanumeric || isLetterLead ? 1 : 0;
});

/** Whether a text that begins with this byte can be copied up to the first special one. */
export function isPlainStart(byte: number): boolean {
  return plainStarts[byte] === 1;
}

/** A text is copied as long as nothing in it is special; COPY puts a backslash before tabs and line breaks. */
function writeText(row: Buffer, from: number, to: number, out: Buffer, at: number): number {
  if (!isPlainStart(row[from] as number)) return writeSpecial(row, from, to, out, at);
  let end = at;
  out[end++] = quote;
  for (let index = from; index < to; index++) {
    const byte = row[index] as number;
    if (byte === semicolon || byte === quote || byte === backslash)
      return writeSpecial(row, from, to, out, at);
    out[end++] = byte;
  }
  out[end++] = quote;
  return end;
}

function writeSpecial(row: Buffer, from: number, to: number, out: Buffer, at: number): number {
  return at + out.write(csvText(unescaped(row.toString('utf8', from, to))), at);
}

/** What COPY puts for signs that would end a field or a row. */
const escapes: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** A field of COPY's text format as the text that it stands for. */
export function unescaped(field: string): string {
  if (!field.includes('\\')) return field;
  return field.replaceAll(/\\(.)/g, (_, sign: string) => escapes[sign] ?? sign);
}

/** More phrases than this are looked up by their value's text, fewer one after the other. */
const fewPhrases = 16;

function phraseWriter(phrases: Readonly<Record<string, string>>): FieldWriter {
  const known = Object.entries(phrases).map(([value, phrase]) => ({
    value: Buffer.from(value),
    phrase: Buffer.from(csvText(phrase)),
  }));
  const byText = new Map(known.map((one) => [one.value.toString(), one]));
  return (row, from, to, out, at) => {
    const found =
      known.length > fewPhrases
        ? byText.get(row.toString('utf8', from, to))
        : known.find(({ value }) => isAt(row, from, to, value));
    if (!found) return writeText(row, from, to, out, at);
    return copy(found.phrase, 0, found.phrase.length, out, at);
  };
}

function isAt(row: Buffer, from: number, to: number, value: Buffer): boolean {
  if (to - from !== value.length) return false;
  for (let index = 0; index < value.length; index++) if (row[from + index] !== value[index]) return false;
  return true;
}
