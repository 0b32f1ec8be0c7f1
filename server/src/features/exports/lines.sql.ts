import type { ExportColumn } from '@hengfu/contract/export-columns';
import type { Language } from '@hengfu/contract/session';
import { type RawBuilder, sql } from 'kysely';
import type { RowAccumulator } from '#db/copy-rows.ts';
import type { MerchantTx } from '#db/database.ts';
import { phrasesUnder } from '#domain/language.ts';
import type { ListSource } from '#domain/list.sql.ts';
import { copyAll } from '#domain/list-whole.sql.ts';
import { type Cell, cellWriter, type PhrasesOf, type Sums } from './cells.rules.ts';
import { LineBytes, type Lines, unescaped } from './line-bytes.rules.ts';

/** A list whose rows the database writes as texts. */
export interface WrittenList {
  source: ListSource;
  /** Its columns as the database has them, by the names of the wire; of amounts the minor units. */
  cells: Readonly<Record<string, RawBuilder<unknown>>>;
  /** Of columns that hold ids: what is shown in their place. Read once, which is cheaper than with every row. */
  names?: Readonly<Record<string, (tx: MerchantTx) => Promise<Readonly<Record<string, string>>>>>;
}

/** How the values of a file are told. */
interface Told {
  language: Language;
  zone: string;
}

/**
 * The lines of a CSV file, some at a time, of rows as the database writes them, with what they add up to. The same as
 * `csvLine` of the wire's rows, at a fraction of its cost (lines.test.ts compares the two).
 */
export async function* readLines(
  tx: MerchantTx,
  list: WrittenList,
  columns: readonly ExportColumn[],
  told: Told,
  sums: Sums,
): AsyncGenerator<Lines> {
  const lines = new LineBytes(columns, await phrasesIn(tx, list, columns, told), sums);
  yield* gatherRows(tx, list, columns, told, lines);
}

/** The same as cells. */
export async function* readCells(
  tx: MerchantTx,
  list: WrittenList,
  columns: readonly ExportColumn[],
  told: Told,
  sums: Sums,
): AsyncGenerator<Cell[][]> {
  const toCells = cellWriter(columns, await phrasesIn(tx, list, columns, told), sums);
  let cells: Cell[][] = [];
  yield* gatherRows(tx, list, columns, told, {
    add: (row) => {
      const fields = row.toString('utf8', 0, row.length - 1).split('\t');
      cells.push(toCells(fields.map(unescaped)));
    },
    take: () => {
      const taken = cells;
      cells = [];
      return taken;
    },
  });
}

/** What is shown in place of values: phrases of choices, names of ids. */
async function phrasesIn(
  tx: MerchantTx,
  { names = {} }: WrittenList,
  columns: readonly ExportColumn[],
  { language }: Told,
): Promise<PhrasesOf> {
  const shown = new Map<string, Readonly<Record<string, string>>>();
  for (const { key, kind, values = '' } of columns) {
    if (kind === 'choice') shown.set(key, phrasesUnder(language, values));
    const read = names[key];
    if (read) shown.set(key, await read(tx));
  }
  return ({ key }) => shown.get(key);
}

/** Rows as the database writes them: the row's currency, then the columns; instants are those of the zone's clock. */
async function* gatherRows<T>(
  tx: MerchantTx,
  { source, cells }: WrittenList,
  columns: readonly ExportColumn[],
  { zone }: Told,
  gathering: RowAccumulator<T>,
): AsyncGenerator<T> {
  await sql`select set_config('timezone', ${zone}, true)`.execute(tx.query);
  const written = Object.entries(cells).map(([key, value]) => sql`${value} as ${sql.ref(key)}`);
  const shown = ['currency', ...columns.map(({ key }) => key)].map((key) => sql`list.${sql.ref(key)}`);
  yield* copyAll(tx, { ...source, columns: sql.join(written) }, sql.join(shown), gathering);
}
