/** Writes a value, the bytes of `source` from `from` to `to`, into `out` at `at`. Returns the end of what it wrote. */
export type WriteValue = (source: Buffer, from: number, to: number, out: Buffer, at: number) => number;

/** How a file format writes the cells of one column. Empty cells are not written. */
export interface CellFormat {
  /** UTF-8 text that spreadsheets must show as it is. */
  text: WriteValue;
  /** A local time: `2026-05-01 09:30:00`. */
  time: WriteValue;
  /** A date: `2026-05-01`. */
  date: WriteValue;
  /** A number, given as plain digits in units of its last decimal. */
  number: (source: Buffer, from: number, to: number, out: Buffer, at: number, scale: number) => number;
}

/** How a file format writes rows, as bytes. */
export interface RowFormat {
  /** Bytes that one byte of a text can become. */
  readonly growth: number;
  /** Bytes that a cell needs besides its value's, and a row besides its cells'. */
  readonly overheadBytes: number;
  /** Rows after which another part of the file begins, in which rows are counted from the start. */
  readonly partRows: number;
  /** Returns the format of a column's cells. */
  cellsOf(column: number): CellFormat;
  /** Starts a row: the first of its part is 0. */
  startRow(row: number, out: Buffer, at: number): number;
  /** Separates two columns. */
  separate(out: Buffer, at: number): number;
  endRow(out: Buffer, at: number): number;
}

const [minus, dot, zero] = [45, 46, 48];

/** Copies bytes. For a few of them, this is faster than a call of `Buffer.copy`. */
export const copyBytes: WriteValue = (source, from, to, out, at) => {
  let end = at;
  for (let index = from; index < to; index++) out[end++] = source[index] as number;
  return end;
};

/** Writes all bytes of a buffer. Costs the same however many they are: about as much as copying fifteen one by one. */
export function writeAll(bytes: Buffer, out: Buffer, at: number): number {
  out.set(bytes, at);
  return at + bytes.length;
}

/** Whether bytes stand at a place. */
export function hasBytes(source: Buffer, from: number, bytes: Buffer): boolean {
  // Dates and numbers that follow each other differ at their ends.
  for (let index = bytes.length - 1; index >= 0; index--)
    if (source[from + index] !== bytes[index]) return false;
  return true;
}

/** Writes a number as a decimal with all of its decimals: 5 → `0.05`. */
export const writeDecimal: CellFormat['number'] = (source, from, to, out, at, scale) => {
  let digits = from;
  let end = at;
  if (source[from] === minus) {
    digits++;
    out[end++] = minus;
  }
  if (scale === 0) return copyBytes(source, digits, to, out, end);
  const whole = Math.max(digits, to - scale);
  if (whole === digits) out[end++] = zero;
  else end = copyBytes(source, digits, whole, out, end);
  out[end++] = dot;
  for (let missing = scale - (to - whole); missing > 0; missing--) out[end++] = zero;
  return copyBytes(source, whole, to, out, end);
};

/** Rows of a file, in its format. */
export interface RowBatch {
  /** Number of rows. */
  length: number;
  bytes: Buffer;
  /** Places in `bytes` at which a part of the file is full. */
  partEnds: readonly number[];
  /** Gives the bytes back, to be overwritten by later rows. */
  release(): void;
}

/** Writes a row of texts, such as headings. */
export function rowOfTexts(format: RowFormat, row: number, texts: readonly string[]): Buffer {
  const values = texts.map((text) => Buffer.from(text));
  const longest = values.reduce((sum, { length }) => sum + format.growth * length + format.overheadBytes, 0);
  const out = Buffer.allocUnsafe(longest + format.overheadBytes);
  let at = format.startRow(row, out, 0);
  for (const [column, value] of values.entries()) {
    if (column > 0) at = format.separate(out, at);
    at = format.cellsOf(column).text(value, 0, value.length, out, at);
  }
  return out.subarray(0, format.endRow(out, at));
}
