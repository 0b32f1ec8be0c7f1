import { csvText } from '@hengfu/contract/csv';
import {
  type CellFormat,
  copyBytes,
  type RowFormat,
  type WriteValue,
  writeDecimal,
} from './row-format.rules.ts';

const [lineFeed, carriageReturn, space, quote, apostrophe, comma] = [10, 13, 32, 34, 39, 44];
const [zero, semicolon, exponent] = [48, 59, 101];

/**
 * UTF-8 lead bytes of characters that need no escaping at the start of a text: ASCII letters and digits,
 * U+00C0 to U+033F, U+0380 to U+05FF, U+4000 to U+DFFF. Characters that readers drop or execute begin with
 * other bytes (formulas.test.ts checks every one).
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

/** Digits that a spreadsheet changes: this many, or any number of them after a zero. */
const changedDigits = 12;

function isDigit(byte: number): boolean {
  return byte >= zero && byte <= zero + 9;
}

/** Writes a text in quotes, marked where a spreadsheet would change it: equal to `csvText`, at a fraction of its cost. */
const writeText: WriteValue = (source, from, to, out, at) => {
  const first = source[from] as number;
  if (isDigit(first)) return writeDigits(source, from, to, out, at);
  return isPlainStart(first) ? copyText(source, from, to, out, at) : writeSpecial(source, from, to, out, at);
};

/**
 * Writes a text that begins with a digit. Digits alone get an apostrophe if a spreadsheet would change them; if an
 * exponent, a blank or a character beyond ASCII follows, `csvText` decides.
 */
const writeDigits: WriteValue = (source, from, to, out, at) => {
  let end = from;
  while (end < to && isDigit(source[end] as number)) end++;
  if (end < to) {
    const next = source[end] as number;
    const isPlain = next > space && next < 0x7f && (next | 0x20) !== exponent && next !== apostrophe;
    return isPlain ? copyText(source, from, to, out, at) : writeSpecial(source, from, to, out, at);
  }
  const digits = to - from;
  const isChanged = digits >= changedDigits || (digits > 1 && source[from] === zero);
  if (!isChanged) return copyText(source, from, to, out, at);
  out[at] = quote;
  out[at + 1] = apostrophe;
  const last = copyBytes(source, from, to, out, at + 2);
  out[last] = quote;
  return last + 1;
};

/** Copies a text unless it contains a special byte. */
const copyText: WriteValue = (source, from, to, out, at) => {
  let end = at;
  out[end++] = quote;
  for (let index = from; index < to; index++) {
    const byte = source[index] as number;
    if (byte === semicolon || byte === quote || byte < space) return writeSpecial(source, from, to, out, at);
    out[end++] = byte;
  }
  out[end++] = quote;
  return end;
};

const writeSpecial: WriteValue = (source, from, to, out, at) =>
  at + out.write(csvText(source.toString('utf8', from, to)), at);

const cells: CellFormat = { text: writeText, time: copyBytes, date: copyBytes, number: writeDecimal };

/** Lines of CSV (RFC 4180): texts quoted and safe from formula injection, figures as they are. */
export const csvRows: RowFormat = {
  // A separator that could start a formula becomes a quote's pair, or gets an apostrophe.
  growth: 3,
  overheadBytes: 16,
  partRows: Number.POSITIVE_INFINITY,
  cellsOf: () => cells,
  startRow: (_row, _out, at) => at,
  separate: (out, at) => {
    out[at] = comma;
    return at + 1;
  },
  endRow: (out, at) => {
    out[at] = carriageReturn;
    out[at + 1] = lineFeed;
    return at + 2;
  },
};
