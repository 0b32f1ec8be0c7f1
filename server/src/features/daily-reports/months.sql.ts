import { startOfDayAt } from '@hengfu/contract/daily-reports';
import type { Currency } from '@hengfu/contract/money';
import { sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';
import { done, ofEachDone, type Sums } from './daily-reports.sql.ts';

const oneDayMs = 86_400_000;
const quarterMs = 900_000;
const dayOf = (at: Date) => at.toISOString().slice(0, 10);

/** Sums of spans of days under an offset, one beside each span. */
export async function readSums(
  tx: MerchantTx,
  currency: Currency,
  spans: readonly { from: string; to: string }[],
  offset: string,
): Promise<Sums[]> {
  const begins = spans.map(({ from }) => startOfDayAt(from, offset));
  const ends = spans.map(({ to }) => new Date(startOfDayAt(to, offset).getTime() + oneDayMs));
  const { rows } = await sql<Sums>`
    with span as materialized (
      select * from unnest(${begins}::timestamptz[], ${ends}::timestamptz[],
          ${begins.map(dayOf)}::date[], ${ends.map(dayOf)}::date[])
        with ordinality as span (begins, ends, first_day, last_day, place)
    ), part as (
      ${inClosedDays(tx, currency, quartersInto(begins[0]))}
      union all
      ${inOpenDays(tx, currency)}
    ), sums as (
      select place, kind, ${ofEachDone((what) => sql`sum(${sql.ref(what)}) as ${sql.ref(what)}`)}
      from part group by place, kind
    )
    select coalesce(c.amount, 0)::bigint as "collectionMinor", coalesce(c.count, 0)::integer as "collectionCount",
      coalesce(c.fee, 0)::bigint as "collectionFeeMinor",
      coalesce(p.amount, 0)::bigint as "paymentMinor", coalesce(p.count, 0)::integer as "paymentCount",
      coalesce(p.fee, 0)::bigint as "paymentFeeMinor",
      coalesce(s.net, 0)::bigint as "settlementMinor", s.count::integer as "settlementCount",
      s.last as "settlementAt"
    from span
    left join sums c on c.place = span.place and c.kind = 'collection'
    left join sums p on p.place = span.place and p.kind = 'payout'
    cross join lateral (
      select sum(net_minor) as net, count(*) as count, max(settled_at) as last from settlement
      where merchant_id = ${tx.merchantId} and currency = ${currency}
        and settled_at >= span.begins and settled_at < span.ends) s
    order by span.place`.execute(tx.prepared);
  return rows;
}

/** How many quarters of an hour an instant lies behind the midnight of UTC. */
function quartersInto(at: Date | undefined): number {
  const ms = at?.getTime() ?? 0;
  return (ms - Math.floor(ms / oneDayMs) * oneDayMs) / quarterMs;
}

/** What closed days of UTC tell: of a span's first what lies behind its beginning, of its last what comes before its end. */
function inClosedDays(tx: MerchantTx, currency: Currency, quarters: number) {
  return sql`
    select span.place, day.kind, ${ofEachDone((what) => {
      const sums = sql.ref(`day.${done[what].sums}`);
      const before = sql`${sums}[${quarters + 1}::integer]`;
      return sql`sum(case day.day when span.last_day then ${before}
        when span.first_day then ${sums}[97] - ${before} else ${sums}[97] end) as ${sql.ref(what)}`;
    })}
    from span join order_rollup_day day on day.merchant_id = ${tx.merchantId} and day.kind in ('collection', 'payout')
      and day.currency = ${currency} and day.day between span.first_day and span.last_day
    group by span.place, day.kind`;
}

/** What the buckets tell of the days that are not closed. */
function inOpenDays(tx: MerchantTx, currency: Currency) {
  return sql`
    select span.place, day.kind, buckets.*
    from span
    cross join lateral (
      select kind, span.first_day + ahead as day
      from unnest(array['collection', 'payout']) as kind cross join generate_series(0, span.last_day - span.first_day) as ahead) day
    cross join lateral (
      select ${ofEachDone((what) => sql`sum(${sql.ref(done[what].column)})`)}
      from order_rollup
      where merchant_id = ${tx.merchantId} and kind = day.kind and currency = ${currency}
        and bucket >= greatest(span.begins, day.day::timestamp at time zone 'UTC')
        and bucket < least(span.ends, (day.day + 1)::timestamp at time zone 'UTC')
      having count(*) > 0) buckets
    where (day.kind, day.day) not in (
      select kind, day from order_rollup_day
      where merchant_id = ${tx.merchantId} and kind in ('collection', 'payout') and currency = ${currency}
        and day between (select min(first_day) from span) and (select max(last_day) from span))`;
}
