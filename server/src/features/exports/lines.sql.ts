import type { ExportColumn } from '@hengfu/contract/export-columns';
import { type Currency, formatAmount } from '@hengfu/contract/money';
import type { Language } from '@hengfu/contract/session';
import { type RawBuilder, sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';
import type { ListSource } from '#db/list.ts';
import { addUp, readTexts } from '#db/list-whole.ts';
import { phrasesUnder } from '#language.ts';
import { type AmountSum, isSummed, lineWriter, moneyCurrency, separator } from './cells.rules.ts';

/** A list whose file the database writes itself. */
export interface WrittenList {
  source: ListSource;
  /** Its columns as the database has them, by the names of the wire; of amounts the minor units. */
  cells: Readonly<Record<string, RawBuilder<unknown>>>;
  /** What columns of other tables are joined by, at most one row to each: cheaper than a look-up with every row. */
  joined?: RawBuilder<unknown>;
}

/** How the values of a file are told. */
interface Told {
  language: Language;
  zone: string;
}

/**
 * The lines of a CSV file, some at a time. The database hands each row over as one text, whose instants are those of the
 * zone's clock; the next rows are under way while these are written. The same text as `csvLine` of the wire's rows, at a
 * fraction of its cost (lines.test.ts compares the two).
 */
export async function* readLines(
  tx: MerchantTx,
  list: WrittenList,
  columns: readonly ExportColumn[],
  { language, zone }: Told,
): AsyncGenerator<string[]> {
  const toLine = lineWriter(columns, (values) => phrasesUnder(language, values));
  await sql`select set_config('timezone', ${zone}, true)`.execute(tx.query);
  for await (const texts of readTexts(tx, narrowed(list), textOf(columns))) yield texts.map(toLine);
}

/** Sums of the columns that are amounts, by currency; none of an empty list. */
export async function readSums(
  tx: MerchantTx,
  list: WrittenList,
  columns: readonly ExportColumn[],
): Promise<AmountSum[]> {
  const summed = columns.filter(isSummed);
  const sums = summed.map(({ key }) => sql`sum(${named(key)})::bigint as ${sql.ref(key)}`);
  if (sums.length === 0) return [];
  const rows = await addUp<Record<string, bigint | null> & { of_currency: Currency }>(
    tx,
    narrowed(list),
    sql`list.currency as of_currency, ${sql.join(sums)}`,
    sql`list.currency`,
  );
  return rows.flatMap((row) =>
    summed.flatMap(({ key, kind }) => {
      const currency = moneyCurrency[kind] ?? row.of_currency;
      const minor = row[key];
      return typeof minor === 'bigint' ? [{ key, currency, amount: formatAmount(minor, currency) }] : [];
    }),
  );
}

const named = (key: string): RawBuilder<unknown> => sql`list.${sql.ref(key)}`;

/** The list with its columns under the names of the wire. */
function narrowed({ source, cells, joined }: WrittenList): ListSource {
  const columns = Object.entries(cells).map(([key, value]) => sql`${value} as ${sql.ref(key)}`);
  const from = joined ? sql`${source.from} ${joined}` : source.from;
  return { ...source, from, columns: sql.join(columns) };
}

/** A row as one text: its values in the order of the columns, then its currency. */
function textOf(columns: readonly ExportColumn[]): RawBuilder<unknown> {
  const texts = [...columns.map(valueText), sql`list.currency`];
  // Not `concat`, which looks up how each value is written with every row.
  return sql.join(texts, sql` || ${sql.lit(separator)} || `);
}

function valueText({ key, kind }: ExportColumn): RawBuilder<unknown> {
  const text = sql`coalesce(${named(key)}::text, '')`;
  return kind === 'text' ? sql`replace(${text}, ${sql.lit(separator)}, '')` : text;
}
