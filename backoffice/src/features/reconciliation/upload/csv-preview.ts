import {
  type CsvColumns,
  type Delimiter,
  delimiters,
  parseStatementDay,
} from '@hengfu/contract/staff/statement-mapping';
import { type Edges, edgesOf } from './file-edges.ts';

const previewRows = 4;

/** How a file is cut into cells. */
export interface Cut {
  delimiter: Delimiter;
  encoding: string;
  headingRow: number;
}

/** The headings and first rows of a file. */
export interface Preview {
  headings: string[];
  rows: string[][];
}

/** Reads the headings and first rows of a CSV file; undefined if it cannot be read in this way. */
export async function previewOf(file: File, cut: Cut): Promise<Preview | undefined> {
  try {
    const { start } = await edgesOf(file);
    const data = await cellsOf(start, cut, cut.headingRow + previewRows);
    const headings = data[cut.headingRow - 1]?.map((heading) => heading.trim());
    return headings && headings.length > 1 ? { headings, rows: data.slice(cut.headingRow) } : undefined;
  } catch {
    return undefined;
  }
}

/** Guesses how a file is cut, from its start. */
export async function guessCut(file: File): Promise<Cut> {
  const { start } = await edgesOf(file);
  let encoding = 'utf-8';
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: true });
  } catch {
    encoding = 'gb18030';
  }
  const [first = ''] = new TextDecoder(encoding).decode(start).split('\n');
  const counts = Object.entries(delimiters).map(
    ([name, sign]) => [name as Delimiter, first.split(sign).length] as const,
  );
  const [delimiter] = counts.toSorted(([, one], [, other]) => other - one)[0] ?? ['comma' as const];
  return { delimiter, encoding, headingRow: 1 };
}

/** The days that lines at the start and at the end of a CSV file name, in order. Empty if they name none. */
export async function daysOf(file: File, columns: CsvColumns): Promise<string[]> {
  try {
    const edges = await edgesOf(file);
    const [headings = []] = (await cellsOf(edges.start, columns, columns.headingRow)).slice(-1);
    const place = headings.findIndex((heading) => heading.trim() === columns.date);
    if (columns.date === '' || place < 0) return [];
    const parts = [await cellsOf(edges.start, columns), await cellsOf(edges.end, columns)];
    const days = parts.flat().map((row) => parseStatementDay(row[place] ?? '', columns.dateOrder));
    return [...new Set(days.filter((day) => day !== undefined))].toSorted();
  } catch {
    return [];
  }
}

/** Cuts a part of a file into cells. Throws if it is not in the encoding. */
async function cellsOf(
  part: Edges['start'],
  { delimiter, encoding }: Pick<Cut, 'delimiter' | 'encoding'>,
  preview = 0,
): Promise<string[][]> {
  const { default: papa } = await import('papaparse');
  // The last character may be cut.
  const text = new TextDecoder(encoding, { fatal: true }).decode(part, { stream: true });
  return papa.parse<string[]>(text, { delimiter: delimiters[delimiter], preview }).data;
}
