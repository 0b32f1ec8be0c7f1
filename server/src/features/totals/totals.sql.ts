import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import { type Cursor, type ListSource, pageStatement } from '#domain/list-source.sql.ts';

/** The totals of consecutive rows of a list, and the position of the last one; undefined after the last rows. */
export interface Slice {
  count: number;
  sumMinor: bigint;
  last: Cursor | undefined;
}

/** Counts and adds up the `rows` rows that follow a position, in the list's order and through its indexes. */
export async function readSlice(
  tx: Tx,
  source: ListSource,
  rows: number,
  after: Cursor | undefined,
): Promise<Slice> {
  const slice: RawBuilder<unknown> = pageStatement({ ...source, columns: sql`1 as counted` }, rows, after);
  const { rows: found } = await sql<{
    count: bigint;
    sum: string | null;
    at: Date | null;
    id: bigint | null;
  }>`
    with slice as materialized (${slice})
    select totals.*, last.page_at as at, last.page_id as id
    from (select count(*) as count, sum(page_summed)::text as sum from slice) totals
    left join (select page_at, page_id from slice order by page_at, page_id limit 1) last on true`.execute(
    tx.query,
  );
  const { count = 0n, sum = null, at = null, id = null } = found[0] ?? {};
  const isFull = Number(count) === rows && at !== null && id !== null;
  return {
    count: Number(count),
    sumMinor: BigInt(sum ?? 0),
    last: isFull ? { direction: 'next', at, id: String(id) } : undefined,
  };
}
