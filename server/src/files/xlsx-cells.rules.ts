import { daysWriter } from './excel-days.rules.ts';
import {
  type CellFormat,
  copyBytes,
  type RowFormat,
  type WriteValue,
  writeAll,
  writeDecimal,
} from './row-format.rules.ts';

/** Styles by their index in the workbook's `cellXfs`. */
export const style = { bold: 1, text: 2, time: 3, date: 4, whole: 5, cents: 6, millionths: 7 } as const;

/** Maximum rows of a sheet in Excel. */
const maxSheetRows = 1_048_576;
/** Excel keeps this many digits of a number. A number with more is stored as text. */
const keptDigits = 15;

const [ampersand, lessThan, greaterThan, quote, space, underscore, x, minus] = [
  38, 60, 62, 34, 32, 95, 120, 45,
];
const byteCount = 256;
/** UTF-8 lead bytes of U+E000 to U+FFFF, the last two of which XML cannot contain. */
const privateLeads = [0xee, 0xef];

/** Bytes that a text may contain unescaped. */
const plainBytes = Uint8Array.from({ length: byteCount }, (_, byte) =>
  byte < space || [ampersand, lessThan, greaterThan, quote, ...privateLeads].includes(byte) ? 0 : 1,
);

/** The markup of a cell between its reference and its value, and after the value. */
const textMarkup = (format: number) => `" s="${format}" t="inlineStr"><is><t xml:space="preserve">`;
const numberMarkup = (format: number) => `" s="${format}"><v>`;
const textEnd = Buffer.from('</t></is></c>');
const numberEnd = Buffer.from('</v></c>');
const rowEnd = Buffer.from('</row>');

/** Markup that contains the number of the current row, such as `<c r="B12" s="2">`. */
type WriteMarkup = (out: Buffer, at: number) => number;

/** Rows of a sheet in SpreadsheetML (ECMA-376, part 1, 18.3.1), the first of which has the number `firstRow`. */
export class SheetRows implements RowFormat {
  // `"` becomes `&quot;`, a carriage return `_x000D_`.
  readonly growth = 7;
  readonly overheadBytes = 96;
  readonly partRows: number;
  readonly #firstRow: number;
  readonly #textStyle: number;
  /** The number of the current row, and its digits. */
  #row = '';
  readonly #digits = Buffer.alloc(String(maxSheetRows).length);
  readonly #rowStart = this.#markup('<row r="', '">');

  constructor({ firstRow = 2, sheetRows = maxSheetRows, textStyle = style.text as number } = {}) {
    this.#firstRow = firstRow;
    this.partRows = sheetRows - firstRow + 1;
    this.#textStyle = textStyle;
  }

  startRow(row: number, out: Buffer, at: number): number {
    this.#row = String(row + this.#firstRow);
    this.#digits.write(this.#row, 'latin1');
    return this.#rowStart(out, at);
  }

  separate(_out: Buffer, at: number): number {
    return at;
  }

  endRow(out: Buffer, at: number): number {
    return writeAll(rowEnd, out, at);
  }

  cellsOf(column: number): CellFormat {
    const reference = `<c r="${columnName(column)}`;
    const startText = this.#markup(reference, textMarkup(this.#textStyle));
    const text = textWriter(startText);
    const startAmount = [style.whole, style.millionths, style.cents].map((format) =>
      this.#markup(reference, numberMarkup(format)),
    );
    const number: CellFormat['number'] = (source, from, to, out, at, scale) => {
      const digits = Math.max(to - from - (source[from] === minus ? 1 : 0), scale + 1);
      const isText = digits > keptDigits;
      const start = isText ? startText : (startAmount[scale] ?? startAmount[1]);
      const end = writeDecimal(source, from, to, out, (start as WriteMarkup)(out, at), scale);
      return writeAll(isText ? textEnd : numberEnd, out, end);
    };
    const days = (format: number): WriteValue => {
      const start = this.#markup(reference, numberMarkup(format));
      const writeDays = daysWriter();
      return (source, from, to, out, at) =>
        writeAll(numberEnd, out, writeDays(source, from, to, out, start(out, at)));
    };
    return { text, time: days(style.time), date: days(style.date), number };
  }

  /** Returns a function that writes markup with the number of the current row between its two parts. */
  #markup(before: string, after: string): WriteMarkup {
    // Copying a whole buffer costs the same however long it is; only the digits in it change from row to row.
    let bytes = Buffer.alloc(0);
    let digitCount = 0;
    return (out, at) => {
      if (this.#row.length === digitCount) copyBytes(this.#digits, 0, digitCount, bytes, before.length);
      else {
        digitCount = this.#row.length;
        bytes = Buffer.from(before + this.#row + after);
      }
      return writeAll(bytes, out, at);
    };
  }
}

/** Returns a function that writes a text: its bytes, unless it contains one that has to be escaped. */
function textWriter(start: WriteMarkup): WriteValue {
  return (source, from, to, out, at) => {
    let end = start(out, at);
    for (let index = from; index < to; index++) {
      const byte = source[index] as number;
      if (plainBytes[byte] === 0 || (byte === x && source[index - 1] === underscore)) {
        end = start(out, at);
        end += out.write(escapeText(source.toString('utf8', from, to)), end);
        break;
      }
      out[end++] = byte;
    }
    return writeAll(textEnd, out, end);
  };
}

/** Text that ECMA-376 would read as an escaped character (ST_Xstring): `_x003D_` is `=`. */
const escapeLike = /_(?=x[\dA-Fa-f]{4}_)/g;

/** Escapes a cell's text. A plain carriage return would be read as a line feed. */
function escapeText(text: string): string {
  // Removes first: a removed character may stand between those of an escape.
  const escaped = inXml(text).replaceAll(escapeLike, '_x005F_');
  return escapeMarkup(escaped).replaceAll('\r', '_x000D_');
}

/** Escapes text, and removes characters that XML cannot contain. */
export function escapeXml(text: string): string {
  return escapeMarkup(inXml(text));
}

function inXml(text: string): string {
  return text.toWellFormed().replaceAll(/[^\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]/gu, '');
}

function escapeMarkup(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

const letters = 26;

/** A, B … Z, AA, AB … */
function columnName(index: number): string {
  const last = String.fromCharCode(65 + (index % letters));
  return index < letters ? last : columnName(Math.floor(index / letters) - 1) + last;
}
