import type { ExportColumn } from '@hengfu/contract/export-columns';
import type { Language } from '@hengfu/contract/session';
import { sql } from 'kysely';
import type { RowAccumulator } from '#db/copy-rows.ts';
import type { MerchantTx } from '#db/database.ts';
import type { CopyableList } from '#domain/exportable.sql.ts';
import { phrasesUnder } from '#domain/language.ts';
import { copyAll } from '#domain/list-whole.sql.ts';
import { type Cell, cellWriter, type PhrasesOf, type Sums } from './cells.rules.ts';
import { LineBytes, type Lines, unescapeField } from './line-bytes.rules.ts';

/** Language and time zone of a file. */
interface FileLocale {
  language: Language;
  zone: string;
}

/**
 * Reads the lines of a CSV file in batches, from rows that the database formats, and adds up the sums. The
 * output equals `csvLine` of the API rows, at a fraction of its cost (lines.test.ts compares the two).
 */
export async function* readLines(
  tx: MerchantTx,
  list: CopyableList,
  columns: readonly ExportColumn[],
  locale: FileLocale,
  sums: Sums,
): AsyncGenerator<Lines> {
  const lines = new LineBytes(columns, await phrasesIn(tx, list, columns, locale), sums);
  yield* gatherRows(tx, list, columns, locale, lines);
}

/** Reads the same rows as cells. */
export async function* readCells(
  tx: MerchantTx,
  list: CopyableList,
  columns: readonly ExportColumn[],
  locale: FileLocale,
  sums: Sums,
): AsyncGenerator<Cell[][]> {
  const toCells = cellWriter(columns, await phrasesIn(tx, list, columns, locale), sums);
  let cells: Cell[][] = [];
  yield* gatherRows(tx, list, columns, locale, {
    add: (row) => {
      const fields = row.toString('utf8', 0, row.length - 1).split('\t');
      cells.push(toCells(fields.map(unescapeField)));
    },
    take: () => {
      const taken = cells;
      cells = [];
      return taken;
    },
  });
}

/** Returns the texts to show instead of values: phrases for choices, names for ids. */
async function phrasesIn(
  tx: MerchantTx,
  { names = {} }: CopyableList,
  columns: readonly ExportColumn[],
  { language }: FileLocale,
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
async function* gatherRows<T>(
  tx: MerchantTx,
  { source, cells }: CopyableList,
  columns: readonly ExportColumn[],
  { zone }: FileLocale,
  gathering: RowAccumulator<T>,
): AsyncGenerator<T> {
  await sql`select set_config('timezone', ${zone}, true)`.execute(tx.query);
  const selected = Object.entries(cells).map(([key, value]) => sql`${value} as ${sql.ref(key)}`);
  const shown = ['currency', ...columns.map(({ key }) => key)].map((key) => sql`list.${sql.ref(key)}`);
  yield* copyAll(tx, { ...source, columns: sql.join(selected) }, shown, gathering);
}
