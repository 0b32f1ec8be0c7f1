import type { ExportColumn } from '@hengfu/contract/export-columns';
import type { Language } from '@hengfu/contract/languages';
import { sql } from 'kysely';
import type { RowAccumulator } from '#db/copy-rows.ts';
import { copyLine } from '#db/copy-text.rules.ts';
import type { MerchantTx } from '#db/database.ts';
import type { Home } from '#domain/caller.ts';
import type { CopyableList, Exportable, WireRow } from '#domain/exportable.sql.ts';
import { phrasesUnder } from '#domain/language.ts';
import { copyAll } from '#domain/list-whole.sql.ts';
import { clockOf } from '#domain/local-clock.ts';
import type { RowBatch, RowFormat } from '#files/row-format.rules.ts';
import { type PhrasesOf, RowBytes } from './row-bytes.rules.ts';
import type { Sums } from './sums.rules.ts';

/** A file to write: its format, columns, language and time zone. */
export interface RowsRequest {
  format: RowFormat;
  columns: readonly ExportColumn[];
  /** Texts of columns that are the same in every row, by key: the list has no such fields. */
  constants?: Readonly<Record<string, string>>;
  language: Language;
  zone: string;
}

/**
 * Reads a list as the rows of a file, in batches, and adds up the sums. The rows are those that the database copies if the list
 * supports it, or else those of the API.
 */
export async function* readRows(
  tx: MerchantTx,
  home: Home,
  list: Exportable,
  filters: Readonly<Record<string, string>>,
  request: RowsRequest,
  sums: Sums,
): AsyncGenerator<RowBatch> {
  const copyable = await list.copyable?.(tx, home, filters);
  const { format, columns } = request;
  const rows = new RowBytes(format, columns, await phrasesIn(tx, copyable?.names, request), sums);
  if (copyable) yield* copied(tx, copyable, request, rows);
  else yield* encoded(list.read(tx, home, filters, request.language), request, rows);
}

/** Returns the texts to show instead of values: phrases for choices, names for ids. */
async function phrasesIn(
  tx: MerchantTx,
  names: CopyableList['names'] = {},
  { columns, language }: RowsRequest,
): Promise<PhrasesOf> {
  const shown = new Map<string, Readonly<Record<string, string>>>();
  for (const { key, kind, values = '', namesIn } of columns) {
    if (kind === 'choice') shown.set(key, phrasesUnder(language, values));
    if (namesIn) shown.set(key, namesIn(language));
    const read = names[key];
    if (read) shown.set(key, await read(tx));
  }
  return ({ key }) => shown.get(key);
}

/** Reads rows that the database formats: their currency, then the columns. Times are in the file's zone. */
async function* copied(
  tx: MerchantTx,
  { source, cells }: CopyableList,
  { columns, constants = {}, zone }: RowsRequest,
  rows: RowAccumulator<RowBatch>,
): AsyncGenerator<RowBatch> {
  await sql`select set_config('timezone', ${zone}, true)`.execute(tx.query);
  const fixed = Object.entries(constants).map(([key, text]) => [key, sql`${text}::text`] as const);
  const selected = [...Object.entries(cells), ...fixed].map(
    ([key, value]) => sql`${value} as ${sql.ref(key)}`,
  );
  const shown = ['currency', ...columns.map(({ key }) => key)].map((key) => sql`list.${sql.ref(key)}`);
  yield* copyAll(tx, { ...source, columns: sql.join(selected) }, shown, rows);
}

/** Encodes rows of the API as the database would copy them. */
async function* encoded(
  batches: AsyncIterable<readonly WireRow[]>,
  { columns, constants = {}, zone }: RowsRequest,
  rows: RowAccumulator<RowBatch>,
): AsyncGenerator<RowBatch> {
  const clock = clockOf(zone);
  const fieldOf = (row: WireRow, { key, kind }: ExportColumn): string => {
    const text = String(constants[key] ?? row[key] ?? '');
    if (kind === 'time' && text !== '') return clock(text);
    // Amounts have all of their currency's decimals: without the point, they are in minor units.
    return ['money', 'usd', 'usdt'].includes(kind) ? text.replace('.', '') : text;
  };
  for await (const batch of batches) {
    for (const row of batch)
      rows.add(copyLine([String(row.currency), ...columns.map((column) => fieldOf(row, column))]));
    yield rows.take();
  }
}
