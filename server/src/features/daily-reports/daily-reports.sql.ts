import { minutesOf, startOfDayAt } from '@hengfu/contract/daily-reports';
import type { Currency } from '@hengfu/contract/money';
import { sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';

/** One day's sums; amounts in minor units. */
export interface DayRow {
  date: string;
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

const oneDayMs = 86_400_000;

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
    select to_char(d.day, 'YYYY-MM-DD') as date,
      coalesce(c.amount, 0) as "collectionMinor", coalesce(c.count, 0)::integer as "collectionCount",
      coalesce(c.fee, 0) as "collectionFeeMinor",
      coalesce(p.amount, 0) as "paymentMinor", coalesce(p.count, 0)::integer as "paymentCount",
      coalesce(p.fee, 0) as "paymentFeeMinor",
      coalesce(s.net, 0) as "settlementMinor", coalesce(s.count, 0)::integer as "settlementCount",
      s.last as "settlementAt"
    from generate_series(${from}::date::timestamp, ${to}::date::timestamp, interval '1 day') as d (day)
    left join (${doneByDay(tx, 'collection', currency, start, end, ahead)}) c on c.day = d.day
    left join (${doneByDay(tx, 'payout', currency, start, end, ahead)}) p on p.day = d.day
    left join (
      select date_trunc('day', settled_at at time zone 'UTC' + ${ahead}) as day, sum(net_minor)::bigint as net,
        count(*) as count, max(settled_at) as last
      from settlement
      where merchant_id = ${tx.merchantId} and currency = ${currency} and settled_at >= ${start} and settled_at < ${end}
      group by 1) s on s.day = d.day
    order by d.day desc`.execute(tx.query);
  return rows;
}

function doneByDay(
  tx: MerchantTx,
  kind: 'collection' | 'payout',
  currency: Currency,
  start: Date,
  end: Date,
  ahead: ReturnType<typeof sql>,
) {
  return sql`
    select date_trunc('day', bucket at time zone 'UTC' + ${ahead}) as day, sum(done_amount_minor)::bigint as amount,
      sum(done_count)::bigint as count, sum(fee_minor)::bigint as fee
    from order_rollup
    where merchant_id = ${tx.merchantId} and kind = ${kind} and currency = ${currency}
      and bucket >= ${start} and bucket < ${end}
    group by 1`;
}

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
