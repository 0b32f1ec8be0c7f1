import type { Currency } from '@hengfu/contract/money';
import { type RawBuilder, sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';
import type { DoneSum, OrderKind, OutcomeSum } from './dashboard.rules.ts';
import type { EndedSum, RefusalSum } from './outcomes.rules.ts';

/** Running sums of closed days, and the same sums of a bucket's rows. */
interface Source {
  closedDays: RawBuilder<unknown>;
  axis: 'paid' | 'created';
  /** Tells sums apart, besides the kind of order. */
  key: RawBuilder<unknown>;
  /** By name: the array of running sums, and the sum over rows of the rollup. */
  measures: Readonly<Record<string, { sums: string; ofRows: RawBuilder<unknown> }>>;
}

const done: Source = {
  closedDays: sql`order_rollup_day`,
  axis: 'paid',
  key: sql`''::text`,
  measures: {
    orders: { sums: 'done_counts', ofRows: sql`sum(orders)` },
    amount_minor: { sums: 'done_amounts_minor', ofRows: sql`sum(amount_minor)` },
  },
};

const outcomes: Source = {
  closedDays: sql`order_outcome_day`,
  axis: 'created',
  key: sql`channel`,
  measures: {
    succeeded: {
      sums: 'succeeded_counts',
      ofRows: sql`coalesce(sum(orders) filter (where order_outcome(status) = 'succeeded'), 0)`,
    },
    lost: {
      sums: 'lost_counts',
      ofRows: sql`coalesce(sum(orders) filter (where order_outcome(status) = 'lost'), 0)`,
    },
  },
};

const bothKinds = sql`(values ('collection'), ('payout'))`;

/**
 * Builds the tables that sum consecutive spans of time: `sums`, with `place`, `kind`, `key` and the measures. A closed day counts
 * in the span in which it ends; of the part before an edge within the day, the edge's own span is relieved, and the one before
 * it gets it. `before` counts the edges before a day, `place` those before its end. Other days are read from their buckets. The
 * cost grows with the days, not with the orders.
 * @param edges start of each span and end of the last one, in whole quarter-hours
 */
function sumsBetween(tx: MerchantTx, currency: Currency, edges: readonly Date[], source: Source) {
  const { closedDays, axis, key, measures } = source;
  const names = Object.keys(measures);
  const each = (toSql: (name: string) => RawBuilder<unknown>) => sql.join(names.map(toSql));
  const columnOf = (name: string) => sql.ref(measures[name]?.sums ?? '');
  const at = (element: RawBuilder<unknown>) =>
    each((name) => sql`${columnOf(name)}[${element}] as ${sql.ref(name)}`);
  // One parameter: with a hundred edges, each further copy costs as much as reading a day.
  const all = sql`(select edges from given)`;
  const [first, last] = [sql`(select first from given)`, sql`(select last from given)`];
  const utcDay = (instant: RawBuilder<unknown>) => sql`(${instant} at time zone 'UTC')::date`;
  const mine = sql`merchant_id = ${tx.merchantId} and currency = ${currency}`;
  return sql`
    given as materialized (
      select edges, edges[1] as first, edges[${edges.length}::integer] as last
      from (select ${edges.map((edge) => edge.toISOString())}::timestamptz[] as edges) parameter
    ), days as materialized (
      select kind, day, ${key} as key, ${each(columnOf)},
        width_bucket(day::timestamp at time zone 'UTC' - interval '1 second', ${all}) as before,
        width_bucket((day + 1)::timestamp at time zone 'UTC' - interval '1 second', ${all}) as place
      from ${closedDays}
      where ${mine} and kind in ('collection', 'payout') and day between ${utcDay(first)} and ${utcDay(last)}
    ), closed as (
      select place, kind, key, ${at(sql`97`)} from days
    ), cut as materialized (
      select edge as place, kind, key,
        ${at(sql`(extract(epoch from ${all}[edge])::bigint % 86400 / 900)::integer + 1`)}
      from days cross join lateral generate_series(before + 1, days.place) as edge
    ), part as (
      select place, kind, key, ${each((name) => sql.ref(name))} from closed
      union all
      select place, kind, key, ${each((name) => sql`-${sql.ref(name)}`)} from cut
      union all
      select place - 1, kind, key, ${each((name) => sql.ref(name))} from cut
      union all
      select place, open.kind, key, ${each((name) => sql.ref(name))}
      from (
        select kinds.kind, ${utcDay(first)} + ahead as day
        from ${bothKinds} kinds (kind)
        cross join (
          -- Before the first month that has sums, closed days have no orders.
          select least(min(closed_through) + 1, (
            select min(starts_on) from order_rollup_period where ${mine} and period = 'month')) as day
          from order_rollup_closing where merchant_id = ${tx.merchantId}) earliest
        cross join generate_series(greatest(0, coalesce(earliest.day - ${utcDay(first)}, 0)),
          ${utcDay(last)} - ${utcDay(first)}) as ahead) open
      cross join lateral (
        select width_bucket(bucket, ${all}) as place, ${key} as key,
          ${each((name) => sql`${measures[name]?.ofRows ?? sql`null`} as ${sql.ref(name)}`)}
        from order_rollup
        where ${mine} and kind = open.kind and axis = ${sql.lit(axis)} and bucket >= open.day::timestamp at time zone 'UTC'
          and bucket < (open.day + 1)::timestamp at time zone 'UTC' and bucket >= ${first} and bucket < ${last}
        group by 1, 2) buckets
      where (open.kind, open.day) not in (select kind, day from days)
    ), sums as (
      select place, kind, key, ${each((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`)}
      from part where place between 1 and ${edges.length - 1}::integer group by place, kind, key
    )`;
}

/** Reads what was completed in consecutive spans; omits spans without any. */
export async function readDone(
  tx: MerchantTx,
  currency: Currency,
  edges: readonly Date[],
): Promise<DoneSum[]> {
  const { rows } = await sql<DoneSum>`
    with ${sumsBetween(tx, currency, edges, done)}
    select place, kind, orders::integer as done, amount_minor::bigint as "doneAmountMinor"
    from sums where orders <> 0 or amount_minor <> 0`.execute(tx.prepared);
  return rows;
}

/** Reads the outcomes of the orders created in consecutive spans; omits spans and channels without any. */
export async function readOutcomes(
  tx: MerchantTx,
  currency: Currency,
  edges: readonly Date[],
): Promise<OutcomeSum[]> {
  const { rows } = await sql<OutcomeSum>`
    with ${sumsBetween(tx, currency, edges, outcomes)}
    select place, kind, key as channel, succeeded::integer as succeeded, lost::integer as lost
    from sums where succeeded <> 0 or lost <> 0`.execute(tx.prepared);
  return rows;
}

/**
 * Counts the collections created in a span, by final status: from the sums of closed days, and other buckets. Their index has the statuses,
 * so that no row of another status is read.
 */
export async function readEnded(
  tx: MerchantTx,
  currency: Currency,
  [starts, ends]: readonly [Date, Date],
  statuses: readonly string[],
): Promise<EndedSum[]> {
  const ended = sql`merchant_id = ${tx.merchantId} and kind = 'collection' and axis = 'created' and currency = ${currency}
      and status in (${sql.join(statuses.map((status) => sql.lit(status)))})`;
  const midnight = (day: RawBuilder<unknown>) => sql`${day}::timestamp at time zone 'UTC'`;
  const inBuckets = (since: RawBuilder<unknown>, until: RawBuilder<unknown>) => sql`
      select status, sum(orders) as orders from order_rollup
      where ${ended} and bucket >= ${since} and bucket < ${until} group by status`;
  const { rows } = await sql<EndedSum>`
    with whole as materialized (
      -- The closed UTC days that lie in the span, from the first one until before the second; none if they are equal.
      select first_day, greatest(first_day, least((${ends}::timestamptz at time zone 'UTC')::date,
        coalesce((select closed_through + 1 from order_rollup_closing where merchant_id = ${tx.merchantId}), '-infinity'))) as end_day
      from (select ceil(extract(epoch from ${starts}::timestamptz) / 86400)::integer + date '1970-01-01' as first_day) days
    )
    select status, sum(orders)::integer as orders from (
      select status, sum(orders) as orders from order_rollup_period
      where ${ended} and period = 'day' and starts_on >= (select first_day from whole) and starts_on < (select end_day from whole)
      group by status
      union all
      ${inBuckets(sql`${starts}`, sql`(select least(${ends}::timestamptz, ${midnight(sql`first_day`)}) from whole)`)}
      union all
      ${inBuckets(sql`(select ${midnight(sql`end_day`)} from whole)`, sql`${ends}`)}) sums
    group by status having sum(orders) > 0`.execute(tx.prepared);
  return rows;
}

/** Counts the latest orders that the channel refused by its reason, at most `limit` of each kind. Their index has all columns that this reads. */
export async function readRefusals(
  tx: MerchantTx,
  currency: Currency,
  [starts, ends]: readonly [Date, Date],
  limit: number,
): Promise<RefusalSum[]> {
  const latest = (kind: OrderKind, table: RawBuilder<unknown>, code: string, status: string) => sql`
      select ${sql.lit(kind)} as kind, code, count(*)::integer as orders
      from (
        select ${sql.ref(code)} as code from ${table}
        where merchant_id = ${tx.merchantId} and currency = ${currency} and status = ${sql.lit(status)}
          and created_at >= ${starts} and created_at < ${ends}
        order by created_at desc, id desc limit ${limit}::bigint) latest
      group by code`;
  const { rows } = await sql<RefusalSum>`
    ${latest('collection', sql`collection`, 'failure_code', 'failed')}
    union all
    ${latest('payout', sql`payout`, 'reject_code', 'rejected')}`.execute(tx.prepared);
  return rows;
}
