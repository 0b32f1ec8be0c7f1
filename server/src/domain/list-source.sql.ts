import { isIP } from 'node:net';
import { type Currency, parseAmount } from '@hengfu/contract/money';
import { type RawBuilder, sql } from 'kysely';
import { fieldRefusal } from './refusal.ts';
import type { RollupFilters } from './rollup-filters.ts';

/** The source of a list. Rows are ordered by an instant (millisecond precision), then `id`, newest first. */
export interface ListSource {
  columns: RawBuilder<unknown>;
  from: RawBuilder<unknown>;
  /** Conditions that all hold; undefined for filters that are not set. */
  where: readonly (RawBuilder<unknown> | undefined)[];
  /** Conditions of which exactly one holds. Each is read through its own index, in order. */
  either?: readonly RawBuilder<unknown>[] | undefined;
  /** Absent if the IDs are in chronological order. */
  orderedBy?: RawBuilder<unknown>;
  /** Present if the table is partitioned by `orderedBy`: the instants of its rows. Pages are read from few months. */
  span?: Span | undefined;
  id: RawBuilder<unknown>;
  /** The amount that the list's sum adds up, in minor units. */
  sum?: RawBuilder<unknown>;
  /** The filters as keys of the rollup, which then tells the totals; absent if one of them is not a key. */
  rollup?: RollupFilters | undefined;
  /** The number of rows that the list has beyond those of `from`: a value of SQL. */
  also?: RawBuilder<unknown> | undefined;
  /** The totals, if they are known without counting. */
  known?: { count: number; sumMinor: bigint } | undefined;
  /**
   * Parts of the list that are in the archive, in the list's order, all behind the rows of the tables. Absent if no row is in the
   * archive.
   */
  archived?: readonly ArchivedPart[] | undefined;
}

/** A part of a list that is in the archive. */
export interface ArchivedPart {
  /** Reads the part, and returns what takes the place of `from`. */
  read: () => Promise<RawBuilder<unknown>>;
  /** The number of its rows, if the list has all of them. */
  rows?: number | undefined;
}

/** The source of a list's rows in an archived part, which `from` stands for. */
export function archivedSource(source: ListSource, from: RawBuilder<unknown>): ListSource {
  const { where, either } = source;
  // A part has no index, so it is read once, not once per choice.
  return {
    ...source,
    from,
    where: [...where, any(either)],
    either: undefined,
    archived: undefined,
    span: undefined,
  };
}

/** Reads the archived parts of a list, one after the other: each as a source of its rows. */
export async function* archivedParts(source: ListSource): AsyncGenerator<ListSource> {
  for (const part of source.archived ?? []) yield archivedSource(source, await part.read());
}

/**
 * The instants between which the rows of a list usually lie. They decide which months are searched first, and nothing is
 * missed if they are wrong.
 */
export interface Span {
  oldest: Date;
  newest: Date;
}

/** A position in a list, and the direction to read from there. */
export interface Cursor {
  direction: 'next' | 'previous';
  at: Date;
  id: string;
}

/** Builds the statement for the rows at a position, newest first (after a backward cursor: oldest first). */
export function pageStatement<R>(source: ListSource, rows: number, cursor?: Cursor): RawBuilder<R> {
  const order = cursor?.direction === 'previous' ? sql`asc` : sql`desc`;
  const limit = sql`limit ${rows}`;
  const parts = orderedParts(
    { ...source, columns: sql`${source.columns}, ${summed(source)} as page_summed` },
    order,
    {
      position: cursor && beyond(source, cursor),
      limit,
    },
  );
  return sql<R>`
    select * from (${parts}) page order by page_at ${order}, page_id ${order} ${limit}`;
}

/**
 * Builds the parts of a list, each in the list's order, with the sort columns `page_at` and `page_id`.
 */
export function orderedParts(
  source: ListSource,
  order: RawBuilder<unknown>,
  {
    position,
    limit = sql``,
  }: { position?: RawBuilder<unknown> | undefined; limit?: RawBuilder<unknown> } = {},
): RawBuilder<unknown> {
  const { columns, from, orderedBy, id } = source;
  const inOrder = orderedBy ? sql`${orderedBy} ${order}, ${id} ${order}` : sql`${id} ${order}`;
  const parts = branches(source, position).map(
    (where) => sql`(
      select ${columns}, ${orderedBy ?? sql`'epoch'::timestamptz`} as page_at, ${id} as page_id
      from ${from} where ${where}
      order by ${inOrder} ${limit})`,
  );
  return sql.join(parts, sql` union all `);
}

/** The condition that rows lie beyond a cursor, in its direction. */
function beyond({ orderedBy, span, id }: ListSource, cursor: Cursor): RawBuilder<unknown> {
  const than = cursor.direction === 'previous' ? sql`>` : sql`<`;
  if (!orderedBy) return sql`${id} ${than} ${cursor.id}::bigint`;
  const rows = sql`(${orderedBy}, ${id}) ${than} (${cursor.at}::timestamptz, ${cursor.id}::bigint)`;
  // PostgreSQL chooses partitions by conditions on their key alone.
  return span ? sql`${rows} and ${orderedBy} ${than}= ${cursor.at}::timestamptz` : rows;
}

/** Returns the whole condition of each part of a list; a single one without alternatives. */
export function branches(source: ListSource, position?: RawBuilder<unknown>): RawBuilder<unknown>[] {
  const given = [...source.where, position].filter((condition) => condition !== undefined);
  return (source.either ?? [sql`true`]).map((choice) => sql.join([...given, choice], sql` and `));
}

/** The amount that the list's sum adds up; null for a list without a sum. */
export function summed(source: ListSource): RawBuilder<unknown> {
  return source.sum ?? sql`null::bigint`;
}

/** A range filter, start inclusive, end exclusive; undefined if neither is set. */
export function between(
  column: RawBuilder<unknown>,
  from: string | bigint | undefined,
  to: string | bigint | undefined,
): RawBuilder<unknown> | undefined {
  const parts = [from !== undefined && sql`${column} >= ${from}`, to !== undefined && sql`${column} < ${to}`];
  const given = parts.filter((part) => part !== false);
  return given.length > 0 ? sql.join(given, sql` and `) : undefined;
}

/**
 * A filter for amounts in a currency, both ends inclusive, as people understand "100 to 200". Throws
 * `validation_failed`.
 */
export function amountBetween(
  column: RawBuilder<unknown>,
  query: { amountFrom?: string | undefined; amountTo?: string | undefined },
  currency: Currency,
): RawBuilder<unknown> | undefined {
  const minor = (field: 'amountFrom' | 'amountTo') => {
    const text = query[field];
    const amountMinor = text === undefined ? undefined : parseAmount(text, currency);
    if (text !== undefined && amountMinor === undefined) throw fieldRefusal(field, 'validation.amount');
    return amountMinor;
  };
  const to = minor('amountTo');
  return between(column, minor('amountFrom'), to === undefined ? undefined : to + 1n);
}

/** An equality filter; undefined if it is not set. */
export function equal(
  column: RawBuilder<unknown>,
  value: string | undefined,
): RawBuilder<unknown> | undefined {
  return value === undefined ? undefined : sql`${column} = ${value}`;
}

/** An equality filter for IP addresses; undefined if it is not set. No row has a text that is none. */
export function equalAddress(
  column: RawBuilder<unknown>,
  value: string | undefined,
): RawBuilder<unknown> | undefined {
  if (value === undefined) return undefined;
  // PostgreSQL knows no zones of addresses (`fe80::1%eth0`).
  return isIP(value) === 0 || value.includes('%') ? sql`false` : sql`${column} = ${value}::inet`;
}

/** Sorts behind every text with the same beginning. */
export const lastCharacter = '\u{10FFFF}';

/**
 * A filter for texts that begin with a value; undefined if it is not set. A range, because an index of the
 * column can read it.
 */
export function beginsWith(
  column: RawBuilder<unknown>,
  value: string | undefined,
): RawBuilder<unknown> | undefined {
  return value === undefined
    ? undefined
    : sql`${column} >= ${value} and ${column} < ${value + lastCharacter}`;
}

/** A filter for several values, as conditions that exclude each other; undefined if it is not set. */
export function each(
  column: RawBuilder<unknown>,
  values: readonly string[] | undefined,
): RawBuilder<unknown>[] | undefined {
  return values?.map((value) => sql`${column} = ${value}`);
}

/** Joins the conditions of a filter with OR. */
export function any(parts: readonly RawBuilder<unknown>[] | undefined): RawBuilder<unknown> | undefined {
  return parts && sql`(${sql.join(parts, sql` or `)})`;
}
