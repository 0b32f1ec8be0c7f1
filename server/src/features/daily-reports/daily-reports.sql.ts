import { minutesOf, startOfDayAt } from '@hengfu/contract/daily-reports';
import type { Currency } from '@hengfu/contract/money';
import { type RawBuilder, sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';

/** Sums of one day or of several; amounts in minor units. */
export interface Sums {
  collectionMinor: bigint;
  collectionCount: number;
  collectionFeeMinor: bigint;
  refundMinor: bigint;
  refundCount: number;
  refundFeeMinor: bigint;
  paymentMinor: bigint;
  paymentCount: number;
  paymentFeeMinor: bigint;
  settlementMinor: bigint;
  settlementCount: number;
  settlementAt: Date | null;
}
export type DayRow = Sums & { date: string };

const oneDayMs = 86_400_000;
const quarterMs = 900_000;
/** Measures of completed orders: the column of a closed day's running sums, and the column of a bucket. */
export const measures = {
  count: { sums: 'done_counts', column: 'orders' },
  amount: { sums: 'done_amounts_minor', column: 'amount_minor' },
  fee: { sums: 'fees_minor', column: 'fee_minor' },
} as const;
const measureNames = ['count', 'amount', 'fee'] as const;

/** Joins one SQL expression per measure with commas. */
export const forEachMeasure = (toSql: (measure: (typeof measureNames)[number]) => RawBuilder<unknown>) =>
  sql.join(measureNames.map(toSql));

/** Reads the days of a range under an offset, newest first: from rollups, however many orders there are. */
export async function readDays(
  tx: MerchantTx,
  currency: Currency,
  { from, to, offset }: { from: string; to: string; offset: string },
): Promise<DayRow[]> {
  const start = startOfDayAt(from, offset);
  const end = new Date(startOfDayAt(to, offset).getTime() + oneDayMs);
  const utcOffset = sql`${minutesOf(offset)}::integer * interval '1 minute'`;
  const { rows } = await sql<DayRow>`
    select to_char(d.day at time zone 'UTC' + ${utcOffset}, 'YYYY-MM-DD') as date,
      coalesce(c.amount, 0) as "collectionMinor", coalesce(c.count, 0)::integer as "collectionCount",
      coalesce(c.fee, 0) as "collectionFeeMinor",
      coalesce(r.amount, 0) as "refundMinor", coalesce(r.count, 0)::integer as "refundCount",
      coalesce(r.fee, 0) as "refundFeeMinor",
      coalesce(p.amount, 0) as "paymentMinor", coalesce(p.count, 0)::integer as "paymentCount",
      coalesce(p.fee, 0) as "paymentFeeMinor",
      coalesce(s.net, 0) as "settlementMinor", coalesce(s.count, 0)::integer as "settlementCount",
      s.last as "settlementAt"
    from generate_series(${start}::timestamptz, ${end}::timestamptz - interval '24 hours', interval '24 hours') as d (day)
    left join (${sumsByDay(tx, 'collection', currency, start, end)}) c on c.day = d.day
    left join (${sumsByDay(tx, 'refund', currency, start, end)}) r on r.day = d.day
    left join (${sumsByDay(tx, 'payout', currency, start, end)}) p on p.day = d.day
    left join (
      select date_bin('1 day', settled_at, ${start}) as day, sum(net_minor)::bigint as net,
        count(*) as count, max(settled_at) as last
      from settlement
      where merchant_id = ${tx.merchantId} and currency = ${currency} and settled_at >= ${start} and settled_at < ${end}
      group by 1) s on s.day = d.day
    order by d.day desc`.execute(tx.prepared);
  return rows;
}

/**
 * Sums per day of a range under an offset: the part of a UTC day after the offset's midnight, plus the part
 * of the next UTC day before it. Closed days provide both parts from their running sums, open days from their
 * buckets. Of a closed day's row, which takes several kilobytes, only the needed elements are selected.
 */
function sumsByDay(
  tx: MerchantTx,
  kind: 'collection' | 'refund' | 'payout',
  currency: Currency,
  start: Date,
  end: Date,
) {
  const firstDay = new Date(Math.floor(start.getTime() / oneDayMs) * oneDayMs);
  const quarters = (start.getTime() - firstDay.getTime()) / quarterMs;
  const midnightOffset = sql`${quarters}::integer * interval '15 minutes'`;
  const before = (measure: string) => sql.ref(`${measure}_before`);
  const all = (measure: string) => sql.ref(`${measure}_all`);
  const closedDays = sql`
    from order_rollup_day where merchant_id = ${tx.merchantId} and kind = ${kind} and currency = ${currency}
      and day between ${isoDay(firstDay)}::date and ${isoDay(end)}::date`;
  return sql`
    select at + ${midnightOffset} as day,
      ${forEachMeasure((measure) => sql`${all(measure)} - ${before(measure)} + coalesce(lead(${before(measure)}) over following, 0) as ${sql.ref(measure)}`)}
    from (
      select day::timestamp at time zone 'UTC' as at, ${forEachMeasure((measure) => {
        const sums = sql.ref(measures[measure].sums);
        return sql`${sums}[${quarters + 1}::integer] as ${before(measure)}, ${sums}[97] as ${all(measure)}`;
      })}
      ${closedDays}
      union all
      select utc.at, ${forEachMeasure((measure) => sql`coalesce(${before(measure)}, 0), coalesce(${all(measure)}, 0)`)}
      from generate_series(${firstDay}::timestamptz, ${end}::timestamptz - interval '15 minutes', interval '24 hours') as utc (at)
      left join lateral (
        select ${forEachMeasure((measure) => {
          const sum = sql`sum(${sql.ref(measures[measure].column)})`;
          return sql`(${sum} filter (where bucket < utc.at + ${midnightOffset}))::bigint as ${before(measure)}, ${sum}::bigint as ${all(measure)}`;
        })}
        from order_rollup
        where merchant_id = ${tx.merchantId} and kind = ${kind} and axis = 'paid' and currency = ${currency}
          and bucket >= utc.at and bucket < utc.at + interval '24 hours') open on true
      where (utc.at at time zone 'UTC')::date not in (select day ${closedDays})) days
    window following as (order by at)`;
}

const isoDay = (at: Date) => at.toISOString().slice(0, 10);

/** Sums between the midnights of two offsets; amounts in minor units. */
export interface MovedRow {
  at: number;
  collectionCount: number;
  collectionMinor: bigint;
  payoutCount: number;
  payoutMinor: bigint;
}

/** Reads the sums of spans, last one first; `at` is the index in `spans`. Omits spans without orders. */
export async function readSpans(
  tx: MerchantTx,
  currency: Currency,
  spans: readonly { from: Date; to: Date }[],
): Promise<MovedRow[]> {
  const { rows } = await sql<MovedRow>`
    select (span.place - 1)::integer as at,
      coalesce(sum(r.orders) filter (where r.kind = 'collection'), 0)::integer as "collectionCount",
      coalesce(sum(r.amount_minor) filter (where r.kind = 'collection'), 0)::bigint as "collectionMinor",
      coalesce(sum(r.orders) filter (where r.kind = 'payout'), 0)::integer as "payoutCount",
      coalesce(sum(r.amount_minor) filter (where r.kind = 'payout'), 0)::bigint as "payoutMinor"
    from unnest(${spans.map(({ from }) => from)}::timestamptz[], ${spans.map(({ to }) => to)}::timestamptz[])
      with ordinality as span (starts, ends, place)
    join order_rollup r on r.merchant_id = ${tx.merchantId} and r.kind in ('collection', 'payout') and r.axis = 'paid'
      and r.currency = ${currency} and r.bucket >= span.starts and r.bucket < span.ends
    group by span.place having sum(r.orders) > 0 order by span.place desc`.execute(tx.query);
  return rows;
}
