import { Readable } from 'node:stream';
import { type ExportColumn, exportColumns, filterColumn } from '@hengfu/contract/export-columns';
import type { Language } from '@hengfu/contract/languages';
import type { MerchantMode } from '@hengfu/contract/merchant-mode';
import type { PhraseKey } from '@hengfu/phrases/phrases';
import { phrasesUnder, translate } from '#domain/language.ts';
import { clockOf } from '#domain/local-clock.ts';
import type { PhraseValues } from '#domain/refusal.ts';
import { csvRows } from '#files/csv-cells.rules.ts';
import { type RowBatch, type RowFormat, rowOfTexts } from '#files/row-format.rules.ts';
import { xlsxStream } from '#files/xlsx.ts';
import { SheetRows } from '#files/xlsx-cells.rules.ts';
import { visible } from '#security/visible.ts';
import type { ExportTask } from './exports.sql.ts';
import type { AmountSum } from './sums.rules.ts';

/** Returns the storage key of an attempt's file; each attempt has its own. */
export function fileKeyOf({ export_no, attempt, format }: ExportTask): string {
  return `${export_no}-${attempt}.${format}`;
}

/** Returns the columns of an export, in their order. */
export function exportColumnsOf({ list, columns }: ExportTask): ExportColumn[] {
  const byKey = new Map(exportColumns[list].map((column) => [column.key, column]));
  return columns.map((key) => byKey.get(key)).filter((column) => column !== undefined);
}

/** The first column of files of test mode: whoever holds one row of such a file sees that no real money is meant. */
export const testColumn: ExportColumn = { key: 'test_mode', kind: 'text', title: 'testMode.title' };

/** Returns the text of {@link testColumn} in every row. */
export const testMarkOf = (language: Language): string => translate(language, 'testMode.titleMark');

/** Returns how a format writes rows. */
export function rowFormatOf({ format }: Pick<ExportTask, 'format'>): RowFormat {
  return format === 'csv' ? csvRows : new SheetRows();
}

/** Builds the file around its rows: their headings, and in a workbook the manifest after them. */
export function fileOf(
  task: ExportTask,
  columns: readonly ExportColumn[],
  batches: AsyncIterable<RowBatch>,
  manifest: () => [string, string][],
): Readable {
  const { format, language, list } = task;
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
  batches: AsyncIterable<RowBatch>,
): AsyncGenerator<Buffer> {
  // Excel reads a file as UTF-8 only if it begins with a byte order mark.
  yield Buffer.from('\uFEFF');
  yield rowOfTexts(csvRows, 0, headings);
  for await (const { bytes } of batches) yield bytes;
}

/** Facts about a file that its manifest states. */
export interface ManifestFacts {
  rows: number;
  sums: readonly AmountSum[];
  createdBy: string;
  merchant: string;
  mode: MerchantMode;
  /** Hexadecimal; absent inside the file itself, which can't contain its own hash. */
  sha256?: string;
}

type Task = Pick<
  ExportTask,
  'language' | 'list' | 'columns' | 'zone' | 'filters' | 'export_no' | 'created_at'
>;

/** The lines of a manifest: names and values, in the file's language. */
export function manifestLines(task: Task, facts: ManifestFacts): [name: string, value: string][] {
  const { language, list, columns, zone } = task;
  const t = (key: PhraseKey, values?: PhraseValues) => translate(language, key, values);
  const titles = new Map(exportColumns[list].map(({ key, title }) => [key, t(title)]));
  const filters = Object.entries(task.filters as Record<string, string>);
  return [
    ...(facts.mode === 'test' ? [[t('testMode.title'), t('exports.noRealMoney')] as [string, string]] : []),
    [t('exports.title'), t(`exports.lists.${list}`)],
    [t('exports.export_no'), task.export_no],
    [t('exports.merchant'), facts.merchant],
    [t('exports.createdBy'), facts.createdBy],
    [t('exports.createdAt'), task.created_at.toISOString()],
    [t('exports.zone'), zone],
    [t('exports.rowCount'), String(facts.rows)],
    ...facts.sums.map(({ key, currency, amount }): [string, string] => [
      t('exports.sum', { name: titles.get(key) ?? key }),
      `${amount} ${currency}`,
    ]),
    [t('exports.columns'), columns.map((key) => titles.get(key) ?? key).join(t('ui.listComma'))],
    ...(filters.length === 0
      ? [[t('exports.filters'), t('exports.noFilters')] as [string, string]]
      : filters.map((filter) => filterLine(task, filter))),
    ...(facts.sha256 === undefined ? [] : [['SHA-256', facts.sha256] as [string, string]]),
  ];
}

/** A manifest as a text file. A line break in a name or a filter must not begin another line. */
export function manifestText({ language }: Pick<Task, 'language'>, lines: [string, string][]): string {
  const text = lines.map(([label, value]) => translate(language, 'ui.labelled', { label, value }));
  return `\uFEFF${text.map((line) => `${visible(line)}\r\n`).join('')}`;
}

function filterLine({ list, language, zone }: Task, [name, value]: [string, string]): [string, string] {
  const found = filterColumn(list, name);
  if (!found) return [translate(language, 'exports.filterBy', { name }), value];
  const { title, kind, values = '', namesIn } = found.column;
  const phrases = kind === 'choice' ? phrasesUnder(language, values) : (namesIn?.(language) ?? {});
  const comma = translate(language, 'ui.listComma');
  let shown = phrases[value] ?? value;
  if (kind === 'choice') shown = Array.from(value.split(','), (one) => phrases[one] ?? one).join(comma);
  else if (kind === 'time') shown = clockOf(zone)(value);
  return [
    translate(language, 'exports.filterBy', { name: translate(language, title) }),
    found.end ? translate(language, found.end, { value: shown }) : shown,
  ];
}
