import { Readable } from 'node:stream';
import { type ExportColumn, exportColumns } from '@hengfu/contract/export-columns';
import { translate } from '#language.ts';
import { type Cell, csvLine } from './cells.rules.ts';
import type { ExportTask } from './exports.sql.ts';
import { xlsxStream } from './xlsx.ts';

/** Where an attempt's file is kept: no two attempts write to one place. */
export function fileKeyOf({ export_no, attempt, format }: ExportTask): string {
  return `${export_no}-${attempt}.${format}`;
}

/** The columns of an export, in their order. */
export function columnsOf({ list, columns }: ExportTask): ExportColumn[] {
  const byKey = new Map(exportColumns[list].map((column) => [column.key, column]));
  return columns.map((key) => byKey.get(key)).filter((column) => column !== undefined);
}

/** The file as a stream: headings, rows, and in a workbook the manifest behind them. */
export function fileOf(
  task: ExportTask,
  columns: readonly ExportColumn[],
  batches: AsyncIterable<Cell[][]>,
  manifest: () => [string, string][],
): Readable {
  const { language, list, format } = task;
  const headings = columns.map(({ title }) => translate(language, title));
  if (format === 'csv') return Readable.from(csvChunks(headings, batches), { objectMode: false });
  return xlsxStream({
    sheetName: translate(language, `exports.lists.${list}`),
    headings,
    batches,
    lastSheet: () => ({ name: translate(language, 'exports.manifest'), lines: manifest() }),
  });
}

async function* csvChunks(
  headings: readonly string[],
  batches: AsyncIterable<Cell[][]>,
): AsyncGenerator<Buffer> {
  // Excel takes a file for UTF-8 where it begins with this mark.
  yield Buffer.from(`\uFEFF${csvLine(headings.map((text) => ({ kind: 'text', text })))}`);
  for await (const batch of batches) yield Buffer.from(batch.map(csvLine).join(''));
}
