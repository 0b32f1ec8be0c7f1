import type { Currency } from '@hengfu/contract/money';
import { sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';
import { forEachMeasure, measures, type Sums } from './daily-reports.sql.ts';

const oneDayMs = 86_400_000;
const quarterMs = 900_000;

/**
 * Reads the sums of consecutive spans of days, earliest first.
 * @param midnights start of each span and end of the last one, all under the same offset
 */
export async function readSums(
  tx: MerchantTx,
  currency: Currency,
  midnights: readonly Date[],
): Promise<Sums[]> {
  const ends = sql`${midnights}::timestamptz[]`;
  const each = forEachMeasure((measure) => sql.ref(measure));
  const { rows } = await sql<Sums>`
    with closed as materialized (${closedDays(tx, currency, midnights)}
    ), before as materialized (${beforeMidnights(tx, currency, midnights)}
    ), part as (
      select place, kind, ${each} from closed
      union all
      select place, kind, ${forEachMeasure((measure) => sql`-${sql.ref(measure)}`)} from before
      union all
      select place - 1, kind, ${each} from before
      union all
      ${inOpenDays(tx, currency, midnights)}
    ), sums as (
      select place, kind, ${forEachMeasure((measure) => sql`sum(${sql.ref(measure)}) as ${sql.ref(measure)}`)}
      from part group by place, kind
    ), settled as (
      select width_bucket(settled_at, ${ends}) as place, sum(net_minor) as net, count(*) as count, max(settled_at) as last
      from settlement
      where merchant_id = ${tx.merchantId} and currency = ${currency}
        and settled_at >= (${ends})[1] and settled_at < (${ends})[${midnights.length}::integer]
      group by 1
    )
    select coalesce(c.amount, 0)::bigint as "collectionMinor", coalesce(c.count, 0)::integer as "collectionCount",
      coalesce(c.fee, 0)::bigint as "collectionFeeMinor",
      coalesce(r.amount, 0)::bigint as "refundMinor", coalesce(r.count, 0)::integer as "refundCount",
      coalesce(r.fee, 0)::bigint as "refundFeeMinor",
      coalesce(p.amount, 0)::bigint as "paymentMinor", coalesce(p.count, 0)::integer as "paymentCount",
      coalesce(p.fee, 0)::bigint as "paymentFeeMinor",
      coalesce(s.net, 0)::bigint as "settlementMinor", coalesce(s.count, 0)::integer as "settlementCount",
      s.last as "settlementAt"
    from generate_series(1, ${midnights.length - 1}::integer) as span (place)
    left join sums c on c.place = span.place and c.kind = 'collection'
    left join sums r on r.place = span.place and r.kind = 'refund'
    left join sums p on p.place = span.place and p.kind = 'payout'
    left join settled s on s.place = span.place
    order by span.place`.execute(tx.prepared);
  return rows;
}

const dayOf = (at: Date) => at.toISOString().slice(0, 10);

/** The UTC days that contain the midnights. */
const daysOf = (midnights: readonly Date[]) => sql`${midnights.map(dayOf)}::date[]`;

/** Totals of closed UTC days with the span they end in. Whole rows of several kilobytes would sort slowly. */
function closedDays(tx: MerchantTx, currency: Currency, midnights: readonly Date[]) {
  const days = daysOf(midnights);
  return sql`
      select width_bucket(day, ${days}) as place, kind, day, ${sumsAt(97)}
      from order_rollup_day
      where merchant_id = ${tx.merchantId} and kind in ('collection', 'refund', 'payout') and currency = ${currency}
        and day between (${days})[1] and (${days})[${midnights.length}::integer]`;
}

/** Sums of closed days up to the midnight they contain: this part belongs to the previous span. */
function beforeMidnights(tx: MerchantTx, currency: Currency, midnights: readonly Date[]) {
  const ms = midnights[0]?.getTime() ?? 0;
  const quarters = (ms - Math.floor(ms / oneDayMs) * oneDayMs) / quarterMs;
  const days = daysOf(midnights);
  return sql`
      select width_bucket(day, ${days}) as place, kind, ${sumsAt(quarters + 1)}
      from order_rollup_day
      where merchant_id = ${tx.merchantId} and kind in ('collection', 'refund', 'payout') and currency = ${currency} and day = any(${days})`;
}

/** A closed day's running sums up to one of its quarter hours. */
const sumsAt = (element: number) =>
  forEachMeasure(
    (measure) => sql`${sql.ref(measures[measure].sums)}[${element}::integer] as ${sql.ref(measure)}`,
  );

/** Sums of the days that are not closed, from their buckets. */
function inOpenDays(tx: MerchantTx, currency: Currency, midnights: readonly Date[]) {
  const days = daysOf(midnights);
  const last = sql`${midnights.length}::integer`;
  const ends = sql`${midnights}::timestamptz[]`;
  return sql`
      select buckets.place, open.kind, ${forEachMeasure((measure) => sql.ref(`buckets.${measure}`))}
      from (
        select kind, (${days})[1] + ahead as day
        from unnest(array['collection', 'refund', 'payout']) as kind
        cross join generate_series(0, (${days})[${last}] - (${days})[1]) as ahead) open
      cross join lateral (
        select width_bucket(bucket, ${ends}) as place, ${forEachMeasure((measure) => sql`sum(${sql.ref(measures[measure].column)})::bigint as ${sql.ref(measure)}`)}
        from order_rollup
        where merchant_id = ${tx.merchantId} and kind = open.kind and axis = 'paid' and currency = ${currency}
          and bucket >= open.day::timestamp at time zone 'UTC' and bucket < (open.day + 1)::timestamp at time zone 'UTC'
        group by 1) buckets
      where (open.kind, open.day) not in (select kind, day from closed)`;
}
