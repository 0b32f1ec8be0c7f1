import type { PageQuery } from '@hengfu/contract/lists';
import { type RawBuilder, sql } from 'kysely';
import { pipelined, type Tx } from '#db/database.ts';
import { type Cursor, type ListSource, pageStatement } from './list-source.sql.ts';
import { readMoment, readTotals, type Totals } from './list-totals.sql.ts';
import { fieldRefusal } from './refusal.ts';

/** One page with its totals, and the cursors of its neighbors. */
export interface Page<R> extends Totals {
  rows: R[];
  next: string | null;
  previous: string | null;
  /** The time at which rows and totals were read. */
  at: Date;
}

/** A row with its place in the list. */
export type Positioned<R> = R & { page_at: Date; page_id: bigint; page_summed: bigint | null };

/** A request for a page: its first rows at a position, and one more, which shows whether another page follows. */
export interface PageRequest {
  wanted: number;
  cursor: Cursor | undefined;
}

/** The rows of a page from all sources, in the order in which they are read. */
export interface AllRows<R> {
  rows: Positioned<R>[];
  /** The position that was reached before enough rows were found; the next page begins there. */
  stoppedAt?: Cursor | undefined;
}

/** Adds rows from other sources to those of the tables. */
export type AddRows<R> = (found: Positioned<R>[], request: PageRequest) => Promise<AllRows<R>>;

/**
 * Reads one page with a keyset cursor: no row is repeated or skipped while new ones arrive, and a page deep
 * in the list costs as much as the first. In a snapshot, rows and totals are of one moment.
 */
export async function readPage<R>(
  tx: Tx,
  source: ListSource,
  query: PageQuery,
  addRows: AddRows<R> = async (rows) => ({ rows }),
): Promise<Page<R>> {
  const cursor = query.cursor === undefined ? undefined : decodeCursor(query.cursor);
  const wanted = query.limit + 1;
  const [inTables, at] = await pipelined([
    readRows<Positioned<R>>(tx, source, wanted, cursor),
    readMoment(tx),
  ]);
  const { rows: found, stoppedAt } = await addRows(inTables, { wanted, cursor });
  const hasMore = found.length > query.limit;
  const rows = found.slice(0, query.limit);
  return {
    rows: cursor?.direction === 'previous' ? rows.toReversed() : rows,
    at,
    ...neighbors(rows, { cursor, hasMore, stoppedAt }),
    ...(cursor || hasMore || source.known || source.archived
      ? await readTotals(tx, source, rows.length)
      : totalsOf(source, rows)),
  };
}

/** A page of a list that is only read onward, without totals. */
export interface OnwardPage<R> {
  rows: R[];
  next: string | null;
}

/** Reads such a page: what programs need to read a whole list, at the cost of its rows alone. */
export async function readOnward<R>(tx: Tx, source: ListSource, query: PageQuery): Promise<OnwardPage<R>> {
  const cursor = query.cursor === undefined ? undefined : decodeCursor(query.cursor);
  // No reply contains the cursor of an earlier page.
  if (cursor?.direction === 'previous') throw fieldRefusal('cursor', 'validation.cursor');
  const found = await readRows<Positioned<R>>(tx, source, query.limit + 1, cursor);
  const rows = found.slice(0, query.limit);
  const last = rows.at(-1);
  return { rows, next: found.length > query.limit && last ? cursorAt('next', last) : null };
}

/** Returns the cursors of the pages beside one, whose rows are in the order in which they were read. */
export function neighbors(
  rows: readonly Positioned<unknown>[],
  at: { cursor: Cursor | undefined; hasMore: boolean; stoppedAt: Cursor | undefined },
): Pick<Page<unknown>, 'next' | 'previous'> {
  const { cursor, hasMore, stoppedAt } = at;
  const isBackward = cursor?.direction === 'previous';
  const [first, last] = [rows[0], rows.at(-1)];
  const ahead = isBackward ? 'previous' : 'next';
  const onward = hasMore && last ? cursorAt(ahead, last) : stoppedAt ? encodeCursor(stoppedAt) : null;
  const back = cursor && first ? cursorAt(isBackward ? 'next' : 'previous', first) : null;
  return isBackward ? { next: back, previous: onward } : { next: onward, previous: back };
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

/** Totals of a list that fits on its first page. */
function totalsOf(source: ListSource, rows: readonly Positioned<unknown>[]): Totals {
  const sum = rows.reduce((total, { page_summed }) => total + (page_summed ?? 0n), 0n);
  return { total: { count: rows.length, exact: true }, sumMinor: source.sum && sum };
}
