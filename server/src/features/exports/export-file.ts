import { Readable } from 'node:stream';
import { type ExportColumn, exportColumns, filterColumn } from '@hengfu/contract/export-columns';
import type { Language } from '@hengfu/contract/session';
import type { PhraseKey } from '@hengfu/phrases/phrases';
import { isPhrase, translate } from '#domain/language.ts';
import type { PhraseValues } from '#domain/refusal.ts';
import { xlsxStream } from '#files/xlsx.ts';
import { visible } from '#security/visible.ts';
import {
  type AmountSum,
  type Cell,
  cellsOf,
  clockOf,
  csvLine,
  type Formatters,
  type Sums,
} from './cells.rules.ts';
import type { ExportTask } from './exports.sql.ts';
import type { Lines } from './line-bytes.rules.ts';

/** Returns the storage key of an attempt's file; each attempt has its own. */
export function fileKeyOf({ export_no, attempt, format }: ExportTask): string {
  return `${export_no}-${attempt}.${format}`;
}

/** Returns the columns of an export, in their order. */
export function exportColumnsOf({ list, columns }: ExportTask): ExportColumn[] {
  const byKey = new Map(exportColumns[list].map((column) => [column.key, column]));
  return columns.map((key) => byKey.get(key)).filter((column) => column !== undefined);
}

const headingsOf = ({ language }: ExportTask, columns: readonly ExportColumn[]) =>
  columns.map(({ title }) => translate(language, title));

/** Builds a workbook as a stream: headings, rows, and the manifest after them. */
export function workbookOf(
  task: ExportTask,
  columns: readonly ExportColumn[],
  batches: AsyncIterable<Cell[][]>,
  manifest: () => [string, string][],
): Readable {
  const { language, list } = task;
  return xlsxStream({
    sheetName: translate(language, `exports.lists.${list}`),
    headings: headingsOf(task, columns),
    batches,
    lastSheet: () => ({ name: translate(language, 'exports.manifest'), lines: manifest() }),
  });
}

/** Builds a CSV file as a stream: headings, then lines in batches. */
export function csvOf(
  task: ExportTask,
  columns: readonly ExportColumn[],
  batches: AsyncIterable<Lines>,
): Readable {
  return Readable.from(csvChunks(headingsOf(task, columns), batches), { objectMode: false });
}

async function* csvChunks(
  headings: readonly string[],
  batches: AsyncIterable<Lines>,
): AsyncGenerator<Buffer> {
  // Excel reads a file as UTF-8 only if it begins with a byte order mark.
  yield Buffer.from(`\uFEFF${csvLine(headings.map((text) => ({ kind: 'text', text })))}`);
  for await (const { bytes } of batches) yield bytes;
}

/** Formats a list's API rows as cells in the file's language and zone, and adds up the summed columns. */
export async function* formatRows(
  { language, zone }: ExportTask,
  columns: readonly ExportColumn[],
  batches: AsyncIterable<readonly Readonly<Record<string, unknown>>[]>,
  sums: Sums,
): AsyncGenerator<Cell[][]> {
  const format = formattersOf(language, zone);
  for await (const batch of batches)
    yield batch.map((row) => {
      sums.add(row);
      return cellsOf(row, columns, format);
    });
}

/** Encodes cells as lines of CSV. */
export async function* linesOf(batches: AsyncIterable<Cell[][]>): AsyncGenerator<Lines> {
  for await (const batch of batches)
    yield { length: batch.length, bytes: Buffer.from(batch.map(csvLine).join('')) };
}

/** Returns the formatters of a language and a zone. A choice without a phrase is shown as it is. */
export function formattersOf(language: Language, zone: string): Formatters {
  const choices = new Map<string, string>();
  const choice = (prefix: string, value: string) => {
    const phrase = `${prefix}.${value}`;
    const known = choices.get(phrase) ?? (isPhrase(phrase) ? translate(language, phrase) : value);
    choices.set(phrase, known);
    return known;
  };
  const names = new Map<ExportColumn, Readonly<Record<string, string>>>();
  const name = (column: ExportColumn, code: string) => {
    if (!column.namesIn) return code;
    const known = names.get(column) ?? column.namesIn(language);
    names.set(column, known);
    return known[code] ?? code;
  };
  return { choice, name, clock: clockOf(zone) };
}

/** Facts about a file that its manifest states. */
export interface ManifestFacts {
  rows: number;
  sums: readonly AmountSum[];
  createdBy: string;
  merchant: string;
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
  const { choice, clock } = formattersOf(language, zone);
  const { title, kind, values = '' } = found.column;
  const comma = translate(language, 'ui.listComma');
  let shown = value;
  if (kind === 'choice') shown = Array.from(value.split(','), (one) => choice(values, one)).join(comma);
  else if (kind === 'time') shown = clock(value);
  return [
    translate(language, 'exports.filterBy', { name: translate(language, title) }),
    found.end ? translate(language, found.end, { value: shown }) : shown,
  ];
}
