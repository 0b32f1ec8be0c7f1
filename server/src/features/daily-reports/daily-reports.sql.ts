import { minutesOf, startOfDayAt } from '@hengfu/contract/daily-reports';
import type { Currency } from '@hengfu/contract/money';
import { type RawBuilder, sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';

/** Sums of one day or of several; amounts in minor units. */
export interface Sums {
  collectionMinor: bigint;
  collectionCount: number;
  collectionFeeMinor: bigint;
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
/** What a day adds up: the running sums of a closed one, and the column of a bucket. */
export const done = {
  count: { sums: 'done_counts', column: 'done_count' },
  amount: { sums: 'done_amounts_minor', column: 'done_amount_minor' },
  fee: { sums: 'fees_minor', column: 'fee_minor' },
} as const;
const whats = ['count', 'amount', 'fee'] as const;

/** A list of something said of each of the three. */
export const ofEachDone = (tell: (what: (typeof whats)[number]) => RawBuilder<unknown>) =>
  sql.join(whats.map(tell));

/** The days of a range under an offset, the newest first: of the rollups, whatever the number of orders. */
export async function readDays(
  tx: MerchantTx,
  currency: Currency,
  { from, to, offset }: { from: string; to: string; offset: string },
): Promise<DayRow[]> {
  const start = startOfDayAt(from, offset);
  const end = new Date(startOfDayAt(to, offset).getTime() + oneDayMs);
  const ahead = sql`${minutesOf(offset)}::integer * interval '1 minute'`;
  const { rows } = await sql<DayRow>`
    select to_char(d.day at time zone 'UTC' + ${ahead}, 'YYYY-MM-DD') as date,
      coalesce(c.amount, 0) as "collectionMinor", coalesce(c.count, 0)::integer as "collectionCount",
      coalesce(c.fee, 0) as "collectionFeeMinor",
      coalesce(p.amount, 0) as "paymentMinor", coalesce(p.count, 0)::integer as "paymentCount",
      coalesce(p.fee, 0) as "paymentFeeMinor",
      coalesce(s.net, 0) as "settlementMinor", coalesce(s.count, 0)::integer as "settlementCount",
      s.last as "settlementAt"
    from generate_series(${start}::timestamptz, ${end}::timestamptz - interval '24 hours', interval '24 hours') as d (day)
    left join (${doneByDay(tx, 'collection', currency, start, end)}) c on c.day = d.day
    left join (${doneByDay(tx, 'payout', currency, start, end)}) p on p.day = d.day
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
 * Sums of the days of a range under an offset: what a day of UTC has behind the offset's midnight, and what the next one has
 * before it. Of each that is closed its running sums tell both parts; of one that is not, its buckets do. Only these numbers are
 * carried on from a closed day, which is a row of some kilobytes.
 */
function doneByDay(
  tx: MerchantTx,
  kind: 'collection' | 'payout',
  currency: Currency,
  start: Date,
  end: Date,
) {
  const firstDay = new Date(Math.floor(start.getTime() / oneDayMs) * oneDayMs);
  const quarters = (start.getTime() - firstDay.getTime()) / quarterMs;
  const into = sql`${quarters}::integer * interval '15 minutes'`;
  const before = (what: string) => sql.ref(`${what}_before`);
  const all = (what: string) => sql.ref(`${what}_all`);
  const closedDays = sql`
    from order_rollup_day where merchant_id = ${tx.merchantId} and kind = ${kind} and currency = ${currency}
      and day between ${isoDay(firstDay)}::date and ${isoDay(end)}::date`;
  return sql`
    select at + ${into} as day,
      ${ofEachDone((what) => sql`${all(what)} - ${before(what)} + coalesce(lead(${before(what)}) over following, 0) as ${sql.ref(what)}`)}
    from (
      select day::timestamp at time zone 'UTC' as at, ${ofEachDone((what) => {
        const sums = sql.ref(done[what].sums);
        return sql`${sums}[${quarters + 1}::integer] as ${before(what)}, ${sums}[97] as ${all(what)}`;
      })}
      ${closedDays}
      union all
      select utc.at, ${ofEachDone((what) => sql`coalesce(${before(what)}, 0), coalesce(${all(what)}, 0)`)}
      from generate_series(${firstDay}::timestamptz, ${end}::timestamptz - interval '15 minutes', interval '24 hours') as utc (at)
      left join lateral (
        select ${ofEachDone((what) => {
          const sum = sql`sum(${sql.ref(done[what].column)})`;
          return sql`(${sum} filter (where bucket < utc.at + ${into}))::bigint as ${before(what)}, ${sum}::bigint as ${all(what)}`;
        })}
        from order_rollup
        where merchant_id = ${tx.merchantId} and kind = ${kind} and currency = ${currency}
          and bucket >= utc.at and bucket < utc.at + interval '24 hours') open on true
      where (utc.at at time zone 'UTC')::date not in (select day ${closedDays})) days
    window following as (order by at)`;
}

const isoDay = (at: Date) => at.toISOString().slice(0, 10);

/** What lies between two midnights; amounts in minor units. */
export interface MovedRow {
  at: number;
  collectionCount: number;
  collectionMinor: bigint;
  payoutCount: number;
  payoutMinor: bigint;
}

/** The sums of spans of time; `at` is the span's place among those given. Spans without an order are left out. */
export async function readSpans(
  tx: MerchantTx,
  currency: Currency,
  spans: readonly { from: Date; to: Date }[],
): Promise<MovedRow[]> {
  const { rows } = await sql<MovedRow>`
    select (span.place - 1)::integer as at,
      coalesce(sum(r.done_count) filter (where r.kind = 'collection'), 0)::integer as "collectionCount",
      coalesce(sum(r.done_amount_minor) filter (where r.kind = 'collection'), 0)::bigint as "collectionMinor",
      coalesce(sum(r.done_count) filter (where r.kind = 'payout'), 0)::integer as "payoutCount",
      coalesce(sum(r.done_amount_minor) filter (where r.kind = 'payout'), 0)::bigint as "payoutMinor"
    from unnest(${spans.map(({ from }) => from)}::timestamptz[], ${spans.map(({ to }) => to)}::timestamptz[])
      with ordinality as span (starts, ends, place)
    join order_rollup r on r.merchant_id = ${tx.merchantId} and r.kind in ('collection', 'payout')
      and r.currency = ${currency} and r.bucket >= span.starts and r.bucket < span.ends
    group by span.place having sum(r.done_count) > 0 order by span.place desc`.execute(tx.query);
  return rows;
}
