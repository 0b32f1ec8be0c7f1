import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import { branches, type ListSource, summed } from './list-source.sql.ts';
import { type RollupFilters, rollupPieces, type Span } from './rollup-filters.ts';

/** Reads the end of the merchant's last closed day; minus infinity if none is closed. */
async function readClosedEnd(tx: Tx, { merchantId }: RollupFilters): Promise<number> {
  const { rows } = await sql<{ day: string }>`
    select (closed_through + 1)::text as day from order_rollup_closing where merchant_id = ${merchantId}`.execute(
    tx.query,
  );
  return rows[0] ? Date.parse(rows[0].day) : Number.NEGATIVE_INFINITY;
}

/**
 * Counts the rows of a list and adds up their amounts, in one statement: from the rollup, and from the rows themselves where
 * the range cuts a bucket. The cost grows with the merchant's months and open days, not with the orders.
 */
export async function readRollupTotals(
  tx: Tx,
  source: ListSource,
  filters: RollupFilters,
): Promise<{ count: number; sumMinor: bigint }> {
  const closedEndMs = await readClosedEnd(tx, filters);
  const { rows } = await rollupTotalsStatement(source, filters, closedEndMs).execute(tx.query);
  return { count: Number(rows[0]?.count ?? 0), sumMinor: BigInt(rows[0]?.sum ?? 0) };
}

/** Builds the statement of {@link readRollupTotals}. */
export function rollupTotalsStatement(
  source: ListSource,
  filters: RollupFilters,
  closedEndMs: number,
): RawBuilder<{ count: bigint; sum: string }> {
  const { from, to } = filters;
  const range = {
    fromMs: from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(from),
    toMs: to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to),
  };
  const { months, days, buckets, rows } = rollupPieces(range, closedEndMs);
  const sums = (table: RawBuilder<unknown>, condition: RawBuilder<unknown>) =>
    sql`select orders, amount_minor from ${table} where ${keysOf(filters)} and ${condition}`;
  const inPeriods = (period: 'day' | 'month') => (span: Span) =>
    sums(
      sql`order_rollup_period`,
      sql`period = ${sql.lit(period)} and ${within(sql`starts_on`, span, toDate)}`,
    );
  const parts = [
    sql`select 0::bigint as orders, 0::bigint as amount_minor`,
    ...months.map(inPeriods('month')),
    ...days.map(inPeriods('day')),
    ...buckets.map((span) => sums(sql`order_rollup`, within(sql`bucket`, span, toInstant))),
    ...rows.flatMap((span) =>
      branches(source, within(source.orderedBy ?? sql`null`, span, toInstant)).map(
        (where) => sql`select 1, ${summed(source)} from ${source.from} where ${where}`,
      ),
    ),
  ];
  return sql`
    select sum(orders)::bigint as count, sum(amount_minor)::text as sum from (${sql.join(parts, sql` union all `)}) parts`;
}

/** The condition on the keys, in the order of the index. */
function keysOf(filters: RollupFilters): RawBuilder<unknown> {
  const { merchantId, kind, axis, currency, channel, status, settlementStatus } = filters;
  const isOneOf = (column: string, values: readonly string[] | undefined) =>
    values && sql`${sql.ref(column)} = any(${[...values]}::text[])`;
  const conditions = [
    sql`merchant_id = ${merchantId} and kind = ${kind} and axis = ${axis} and currency = ${currency}`,
    isOneOf('channel', channel === undefined ? undefined : [channel]),
    isOneOf('status', status),
    isOneOf('settlement_status', settlementStatus),
  ];
  return sql.join(
    conditions.filter((condition) => condition !== undefined),
    sql` and `,
  );
}

const toInstant = (ms: number) => sql`${new Date(ms)}::timestamptz`;
const toDate = (ms: number) => sql`${new Date(ms).toISOString().slice(0, 10)}::date`;

function within(
  column: RawBuilder<unknown>,
  { fromMs, toMs }: Span,
  toSql: (ms: number) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  const ends = [
    Number.isFinite(fromMs) && sql`${column} >= ${toSql(fromMs)}`,
    Number.isFinite(toMs) && sql`${column} < ${toSql(toMs)}`,
  ].filter((end) => end !== false);
  return ends.length === 0 ? sql`true` : sql.join(ends, sql` and `);
}
