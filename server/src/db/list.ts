import { exactTotalLimit, type PageQuery } from '@hengfu/contract/lists';
import { type RawBuilder, sql } from 'kysely';
import { fieldRefusal } from '#refusal.ts';
import type { Tx } from './database.ts';

/** What a list is read from. Rows are ordered by `createdAt` (millisecond precision), then `id`, newest first. */
export interface ListSource {
  columns: RawBuilder<unknown>;
  from: RawBuilder<unknown>;
  /** Conditions that all hold; undefined ones are filters that were not given. */
  where: readonly (RawBuilder<unknown> | undefined)[];
  createdAt: RawBuilder<unknown>;
  id: RawBuilder<unknown>;
  /** What the sum of the list adds up, in minor units. */
  sum?: RawBuilder<unknown>;
}

/** One page, with the cursors of its neighbours. */
export interface Page<R> {
  rows: R[];
  next: string | null;
  previous: string | null;
  total: { count: number; exact: boolean };
  /** Minor units; undefined where the list has none or is too long to add up. */
  sumMinor: bigint | undefined;
}

interface Cursor {
  direction: 'next' | 'previous';
  createdAt: Date;
  id: string;
}

type Positioned<R> = R & { page_created_at: Date; page_id: bigint };

/**
 * Reads one page by keyset: rows neither repeat nor vanish while new ones arrive, and a page deep in the list costs
 * what the first one costs. Count and sum stop at the contract's limit.
 */
export async function readPage<R>(tx: Tx, source: ListSource, query: PageQuery): Promise<Page<R>> {
  const cursor = query.cursor === undefined ? undefined : decodeCursor(query.cursor);
  const isBackward = cursor?.direction === 'previous';
  const conditions = source.where.filter((condition) => condition !== undefined);
  const where = sql.join(conditions.length > 0 ? conditions : [sql`true`], sql` and `);
  const order = isBackward ? sql`asc` : sql`desc`;
  const position = cursor
    ? sql`and (${source.createdAt}, ${source.id}) ${isBackward ? sql`>` : sql`<`} (${cursor.createdAt}::timestamptz, ${cursor.id}::bigint)`
    : sql``;
  const { rows: found } = await sql<Positioned<R>>`
    select ${source.columns}, ${source.createdAt} as page_created_at, ${source.id} as page_id
    from ${source.from} where ${where} ${position}
    order by ${source.createdAt} ${order}, ${source.id} ${order} limit ${query.limit + 1}`.execute(tx.query);

  const hasMore = found.length > query.limit;
  const rows = found.slice(0, query.limit);
  if (isBackward) rows.reverse();
  const first = rows[0];
  const last = rows.at(-1);
  const hasNewer = isBackward ? hasMore : cursor !== undefined;
  const hasOlder = isBackward ? true : hasMore;
  return {
    rows,
    previous: first && hasNewer ? encodeCursor('previous', first) : null,
    next: last && hasOlder ? encodeCursor('next', last) : null,
    ...(await readTotals(tx, source, where)),
  };
}

async function readTotals(
  tx: Tx,
  source: ListSource,
  where: RawBuilder<unknown>,
): Promise<Pick<Page<unknown>, 'total' | 'sumMinor'>> {
  const summed = source.sum ?? sql`null::bigint`;
  const { rows } = await sql<{ count: bigint; sum: string | null }>`
    select count(*) as count, sum(summed) as sum
    from (select ${summed} as summed from ${source.from} where ${where} limit ${exactTotalLimit + 1}) counted`.execute(
    tx.query,
  );
  const count = Number(rows[0]?.count ?? 0n);
  const exact = count <= exactTotalLimit;
  const total = { count: Math.min(count, exactTotalLimit), exact };
  return { total, sumMinor: exact && source.sum ? BigInt(rows[0]?.sum ?? 0) : undefined };
}

function encodeCursor(direction: Cursor['direction'], row: Positioned<unknown>): string {
  const text = [direction === 'next' ? 'n' : 'p', row.page_created_at.getTime(), row.page_id].join(',');
  return Buffer.from(text).toString('base64url');
}

function decodeCursor(text: string): Cursor {
  const match = /^([np]),(\d{1,15}),(\d{1,18})$/.exec(Buffer.from(text, 'base64url').toString('utf8'));
  const [, direction, milliseconds, id] = match ?? [];
  if (!direction || !milliseconds || !id) throw fieldRefusal('cursor', 'validation.cursor');
  return {
    direction: direction === 'n' ? 'next' : 'previous',
    createdAt: new Date(Number(milliseconds)),
    id,
  };
}

/** A range filter: the start is in, the end is out; undefined where neither is given. */
export function between(
  column: RawBuilder<unknown>,
  from: string | bigint | undefined,
  to: string | bigint | undefined,
): RawBuilder<unknown> | undefined {
  const parts = [from !== undefined && sql`${column} >= ${from}`, to !== undefined && sql`${column} < ${to}`];
  const given = parts.filter((part) => part !== false);
  return given.length > 0 ? sql.join(given, sql` and `) : undefined;
}

/** An equality filter over one value or several; undefined where none is given. */
export function oneOf(
  column: RawBuilder<unknown>,
  value: string | readonly string[] | undefined,
): RawBuilder<unknown> | undefined {
  if (value === undefined) return undefined;
  return typeof value === 'string' ? sql`${column} = ${value}` : sql`${column} = any(${value}::text[])`;
}
