import { exactTotalLimit, type PageQuery } from '@hengfu/contract/lists';
import { type Currency, parseAmount } from '@hengfu/contract/money';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import { databaseFault } from '#db/pool.ts';
import { fieldRefusal } from './refusal.ts';

/** SQLSTATE of a statement that exceeded its timeout. */
const queryCanceled = '57014';

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
  span?: Span;
  id: RawBuilder<unknown>;
  /** The amount that the list's sum adds up, in minor units. */
  sum?: RawBuilder<unknown>;
}

/**
 * The instants between which the rows of a list usually lie. They decide which months are searched first, and nothing is
 * missed if they are wrong.
 */
export interface Span {
  oldest: Date;
  newest: Date;
}

/** One page, with the cursors of its neighbors. */
export interface Page<R> {
  rows: R[];
  next: string | null;
  previous: string | null;
  total: { count: number; exact: boolean };
  /** Minor units; undefined if the list has no sum, or is too long to add up. */
  sumMinor: bigint | undefined;
}

/** A position in a list, and the direction to read from there. */
export interface Cursor {
  direction: 'next' | 'previous';
  at: Date;
  id: string;
}

type Positioned<R> = R & { page_at: Date; page_id: bigint; page_summed: bigint | null };

/** A filter without an index may match rarely. Counting stops after this time, and the count is inexact. */
const totalsBudgetMs = 15;

/**
 * Reads one page with a keyset cursor: no row is repeated or skipped while new ones arrive, and a page deep
 * in the list costs as much as the first. Count and sum stop at the contract's limit, or if they take too
 * long.
 */
export async function readPage<R>(tx: Tx, source: ListSource, query: PageQuery): Promise<Page<R>> {
  const cursor = query.cursor === undefined ? undefined : decodeCursor(query.cursor);
  const isBackward = cursor?.direction === 'previous';
  const found = await readRows<Positioned<R>>(tx, source, query.limit + 1, cursor);
  const hasMore = found.length > query.limit;
  const rows = found.slice(0, query.limit);
  if (isBackward) rows.reverse();
  const first = rows[0];
  const last = rows.at(-1);
  const hasNewer = isBackward ? hasMore : cursor !== undefined;
  const hasOlder = isBackward ? true : hasMore;
  return {
    rows,
    previous: first && hasNewer ? cursorAt('previous', first) : null,
    next: last && hasOlder ? cursorAt('next', last) : null,
    ...(cursor || hasMore ? await readTotals(tx, source, rows.length) : totalsOf(source, rows)),
  };
}

const dayMs = 86_400_000;
/** Days of a partitioned table that are searched for a page, before all of it is: planning for every month takes long. */
const searchedDays = [62, 366];

/** Reads rows at a position. Those of a partitioned table are looked for in the nearest months first. */
export async function readRows<R>(tx: Tx, source: ListSource, rows: number, cursor?: Cursor): Promise<R[]> {
  for (const bound of nearBounds(source, cursor)) {
    const near = { ...source, where: [...source.where, bound] };
    const { rows: found } = await pageStatement<R>(near, rows, cursor).execute(tx.query);
    if (found.length === rows) return found;
  }
  return (await pageStatement<R>(source, rows, cursor).execute(tx.query)).rows;
}

/** Bounds of growing distance from a position, as far as the list reaches beyond them. */
function nearBounds({ span, orderedBy }: ListSource, cursor: Cursor | undefined): RawBuilder<unknown>[] {
  if (!(span && orderedBy)) return [];
  const fromMs = (cursor?.at ?? span.newest).getTime();
  return searchedDays.flatMap((days) => {
    const isForward = cursor?.direction === 'previous';
    const end = new Date(fromMs + (isForward ? days : -days) * dayMs);
    if (isForward ? end >= span.newest : end <= span.oldest) return [];
    return isForward ? sql`${orderedBy} <= ${end}::timestamptz` : sql`${orderedBy} >= ${end}::timestamptz`;
  });
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

function summed(source: ListSource): RawBuilder<unknown> {
  return source.sum ?? sql`null::bigint`;
}

type Totals = Pick<Page<unknown>, 'total' | 'sumMinor'>;

/** Totals of a list that fits on its first page. */
function totalsOf(source: ListSource, rows: readonly Positioned<unknown>[]): Totals {
  const sum = rows.reduce((total, { page_summed }) => total + (page_summed ?? 0n), 0n);
  return { total: { count: rows.length, exact: true }, sumMinor: source.sum && sum };
}

async function readTotals(tx: Tx, source: ListSource, seen: number): Promise<Totals> {
  const limit = sql`limit ${exactTotalLimit + 1}`;
  // One scan per month, not one per month and choice.
  const { span, either, where } = source;
  const joined = span && either ? { ...source, where: [...where, any(either)], either: undefined } : source;
  const parts = branches(joined).map(
    (where) => sql`(select ${summed(source)} as summed from ${source.from} where ${where} ${limit})`,
  );
  const counting = sql<{ count: bigint; sum: string | null }>`
    select count(*) as count, sum(summed) as sum
    from (select summed from (${sql.join(parts, sql` union all `)}) parts ${limit}) counted`;
  await sql`savepoint totals`.execute(tx.query);
  // Index scans only: they count rows as they find them. A bitmap is built completely before the first row is
  // counted, and a sequential scan may read the whole table for the rows of a month.
  await sql`select set_config('statement_timeout', ${String(totalsBudgetMs)}, true),
    set_config('enable_bitmapscan', 'off', true), set_config('enable_seqscan', 'off', true)`.execute(
    tx.query,
  );
  const [counted] = await Promise.allSettled([counting.execute(tx.query)]);
  await sql`rollback to savepoint totals`.execute(tx.query);
  if (counted.status === 'rejected') {
    if (databaseFault(counted.reason)?.state !== queryCanceled) throw counted.reason;
    return { total: { count: seen, exact: false }, sumMinor: undefined };
  }
  const { count: found = 0n, sum = null } = counted.value.rows[0] ?? {};
  const count = Number(found);
  const exact = count <= exactTotalLimit;
  const total = { count: Math.min(count, exactTotalLimit), exact };
  return { total, sumMinor: exact && source.sum ? BigInt(sum ?? 0) : undefined };
}

function cursorAt(direction: Cursor['direction'], row: Positioned<unknown>): string {
  return encodeCursor({ direction, at: row.page_at, id: String(row.page_id) });
}

/** Encodes a position as text that fits into a URL. */
export function encodeCursor({ direction, at, id }: Cursor): string {
  const text = [direction === 'next' ? 'n' : 'p', at.getTime(), id].join(',');
  return Buffer.from(text).toString('base64url');
}

/** Decodes such a text. Throws `validation_failed`. */
export function decodeCursor(text: string): Cursor {
  const match = /^([np]),(\d{1,15}),(\d{1,18})$/.exec(Buffer.from(text, 'base64url').toString('utf8'));
  const [, direction, milliseconds, id] = match ?? [];
  if (!direction || !milliseconds || !id) throw fieldRefusal('cursor', 'validation.cursor');
  return {
    direction: direction === 'n' ? 'next' : 'previous',
    at: new Date(Number(milliseconds)),
    id,
  };
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
