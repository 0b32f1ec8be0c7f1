import { exactTotalLimit } from '@hengfu/contract/lists';
import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import { databaseFault } from '#db/pool.ts';
import { any, branches, type ListSource, summed } from './list-source.sql.ts';
import { readRollupTotals } from './rollup-totals.sql.ts';

/** Count and sum of a list. */
export interface Totals {
  total: { count: number; exact: boolean };
  /** Minor units; undefined if the list has no sum, or if the total is not exact. */
  sumMinor: bigint | undefined;
}

/** SQLSTATE of a statement that exceeded its timeout. */
const queryCanceled = '57014';
/** A filter without an index may match rarely. Counting stops after this time, and the count is inexact. */
const totalsBudgetMs = 15;

/** Reads the moment of the transaction's snapshot. */
export async function readMoment(tx: Tx): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`select now() as at`.execute(tx.query);
  if (!rows[0]) throw new Error('the database returned no time');
  return rows[0].at;
}

/**
 * Reads the totals of a list: from its source or the rollup if they can tell them; otherwise by counting, which stops at the
 * contract's limit, or if it takes too long. Archived rows are not counted: the total is then inexact.
 * @param seen rows known to be in the list
 */
export async function readTotals(tx: Tx, source: ListSource, seen: number): Promise<Totals> {
  if (source.known)
    return { total: { count: source.known.count, exact: true }, sumMinor: source.known.sumMinor };
  if (source.archived) return { total: { count: seen, exact: false }, sumMinor: undefined };
  if (!source.rollup) return countRows(tx, source, seen);
  const { count, sumMinor } = await readRollupTotals(tx, source, source.rollup);
  return { total: { count, exact: true }, sumMinor: source.sum && sumMinor };
}

async function countRows(tx: Tx, source: ListSource, seen: number): Promise<Totals> {
  const limit = sql`limit ${exactTotalLimit + 1}`;
  // One scan per month of a partitioned table, not one per month and choice.
  const { span, either, where } = source;
  const joined = span && either ? { ...source, where: [...where, any(either)], either: undefined } : source;
  const parts = branches(joined).map(
    (where) => sql`(select ${summed(source)} as summed from ${source.from} where ${where} ${limit})`,
  );
  const counting = sql<{ count: bigint; sum: string | null }>`
    select (count(*) + ${source.also ?? sql`0`})::bigint as count, sum(summed) as sum
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
