import type { Currency } from '@hengfu/contract/money';
import { type CsvColumns, delimiters, parseStatementDay } from '@hengfu/contract/staff/statement-mapping';
import papa from 'papaparse';
import {
  maxReferenceLength,
  maxTextLength,
  type ParsedLine,
  parseStatementAmount,
  UnreadableStatement,
} from './line-fields.rules.ts';
import { decoded } from './statement-text.ts';

/** Characters of one record: a quote that is never closed must not fill the memory. */
const maxRecordLength = 64 * 1024;

/**
 * Reads the movements of a CSV file by its channel's columns, one portion per chunk of the file. Skips empty rows. Throws
 * {@link UnreadableStatement} at the first row that cannot be read; lines are rows of the file, headings included.
 */
export async function* readCsv(
  chunks: AsyncIterable<Buffer>,
  columns: CsvColumns,
  currency: Currency,
): AsyncGenerator<ParsedLine[]> {
  let row = 0;
  let read: ((cells: readonly string[], lineNo: number) => ParsedLine) | undefined;
  for await (const records of recordsOf(decoded(chunks, columns.encoding), delimiters[columns.delimiter])) {
    const lines: ParsedLine[] = [];
    for (const cells of records) {
      row++;
      if (row < columns.headingRow) continue;
      if (row === columns.headingRow) read = lineReader(cells, columns, currency);
      else if (read && cells.some((cell) => cell.trim() !== '')) lines.push(read(cells, row));
    }
    if (lines.length > 0) yield lines;
  }
  if (!read) throw new UnreadableStatement('headings');
}

/** Splits text into records as it arrives. A record that is not complete yet is parsed again with the next chunk. */
async function* recordsOf(texts: AsyncIterable<string>, delimiter: string): AsyncGenerator<string[][]> {
  let rest = '';
  let row = 0;
  const parse = (isLast: boolean): string[][] => {
    // The parser behind papaparse's streams. On its own, it lets us wait for the database between two chunks.
    const parser = new papa.Parser({ delimiter, newline: '\n' });
    const { data, errors, meta } = parser.parse(rest, 0, !isLast) as papa.ParseResult<string[]>;
    // The last record may only be incomplete.
    const [fault] = errors.filter((each) => isLast || (each.row ?? 0) < data.length);
    if (fault) throw new UnreadableStatement('quotes', row + (fault.row ?? 0) + 1);
    rest = isLast ? '' : rest.slice(meta.cursor);
    row += data.length;
    if (rest.length > maxRecordLength) throw new UnreadableStatement('tooLong', row + 1);
    return data;
  };
  for await (const text of texts) {
    rest += text;
    yield parse(false);
  }
  if (rest !== '') yield parse(true);
}

/** Finds the columns by the row of headings; returns the function that reads the other rows. */
function lineReader(headings: readonly string[], columns: CsvColumns, currency: Currency) {
  const names = headings.map((name) => name.trim());
  const at = (name: string): number => {
    if (name === '') return -1;
    const index = names.indexOf(name);
    if (index < 0 || names.includes(name, index + 1))
      throw new UnreadableStatement('headings', columns.headingRow);
    return index;
  };
  const reference = at(columns.reference);
  const [date, bankReference, text] = [at(columns.date), at(columns.bankReference), at(columns.text)];
  const amountOf = amountReader(at, columns, currency);
  return (cells: readonly string[], lineNo: number): ParsedLine => {
    if (cells.length !== names.length) throw new UnreadableStatement('columns', lineNo);
    const cell = (index: number) => cells[index]?.trim() ?? '';
    const amountMinor = amountOf(cell);
    if (amountMinor === undefined || amountMinor === 0n) throw new UnreadableStatement('amount', lineNo);
    const valueDay = cell(date) === '' ? null : parseStatementDay(cell(date), columns.dateOrder);
    if (valueDay === undefined) throw new UnreadableStatement('date', lineNo);
    if (cell(reference).length > maxReferenceLength) throw new UnreadableStatement('reference', lineNo);
    return {
      lineNo,
      // Our own files mark numbers that a spreadsheet would change.
      reference: cell(reference).replace(/^'/, ''),
      amountMinor,
      valueDay,
      bankReference: cell(bankReference).slice(0, maxReferenceLength).toWellFormed(),
      text: cell(text).slice(0, maxTextLength).toWellFormed(),
    };
  };
}

/** Returns the function that reads the amount of a row, undefined where there is none. */
function amountReader(at: (name: string) => number, columns: CsvColumns, currency: Currency) {
  const parse = (text: string) => parseStatementAmount(text, currency, columns.decimalMark);
  if (columns.amountForm === 'twoColumns') {
    const [credit, debit] = [at(columns.credit), at(columns.debit)];
    return (cell: (index: number) => string): bigint | undefined => {
      // The column that does not apply is empty or zero, and a debit may have its sign already.
      const [came, went] = [credit, debit].map((index) => (cell(index) === '' ? 0n : parse(cell(index))));
      if (came === undefined || went === undefined || (came !== 0n && went !== 0n)) return undefined;
      return came !== 0n ? came : went > 0n ? -went : went;
    };
  }
  const amount = at(columns.amount);
  if (columns.amountForm === 'signed') return (cell: (index: number) => string) => parse(cell(amount));
  const direction = at(columns.direction);
  return (cell: (index: number) => string): bigint | undefined => {
    const parsed = parse(cell(amount));
    if (parsed === undefined || parsed < 0n) return undefined;
    return cell(direction) === columns.creditWord ? parsed : -parsed;
  };
}
