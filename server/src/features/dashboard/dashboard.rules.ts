import type { Dashboard } from '@hengfu/contract/dashboard';
import { type Currency, formatAmount } from '@hengfu/contract/money';

const hourMs = 3_600_000;

/** The days that a dashboard covers, in the merchant's zone. */
export interface DashboardDays {
  now: Date;
  todayStart: Date;
  yesterdayStart: Date;
  /** YYYY-MM-DD */
  todayDate: string;
  yesterdayDate: string;
}

/** Sums of one kind of order in one 15-minute bucket. */
export interface Bucket {
  kind: 'collection' | 'payout';
  bucket: Date;
  succeeded: number;
  lost: number;
  done: number;
  doneAmountMinor: bigint;
}

/** Builds a merchant's dashboard from the buckets since yesterday's midnight. */
export function dashboardOf(
  home: { currency: Currency; zone: string },
  days: DashboardDays,
  buckets: readonly Bucket[],
): Dashboard {
  const { currency, zone } = home;
  const isToday = ({ bucket }: Bucket) => bucket >= days.todayStart;
  const dayOf = (date: string, ofDay: readonly Bucket[]): Dashboard['today'] => ({
    date,
    collection: dayFigures(
      ofDay.filter(({ kind }) => kind === 'collection'),
      currency,
    ),
    payout: dayFigures(
      ofDay.filter(({ kind }) => kind === 'payout'),
      currency,
    ),
  });
  return {
    currency,
    zone,
    asOf: days.now.toISOString(),
    today: dayOf(days.todayDate, buckets.filter(isToday)),
    yesterday: dayOf(
      days.yesterdayDate,
      buckets.filter((bucket) => !isToday(bucket)),
    ),
    hours: hourFigures(buckets, days, currency),
  };
}

/** Sums up one day's buckets of one kind of order. */
function dayFigures(buckets: readonly Bucket[], currency: Currency): Dashboard['today']['collection'] {
  const total = (pick: (bucket: Bucket) => number) => buckets.reduce((sum, bucket) => sum + pick(bucket), 0);
  const succeeded = total((bucket) => bucket.succeeded);
  const decided = succeeded + total((bucket) => bucket.lost);
  return {
    amount: formatAmount(sumDone(buckets), currency),
    count: total((bucket) => bucket.done),
    successRate: decided === 0 ? null : succeeded / decided,
  };
}

/** Returns the chart's hours, from yesterday's midnight to the current one. Hours without orders are zero. */
function hourFigures(
  buckets: readonly Bucket[],
  days: DashboardDays,
  currency: Currency,
): Dashboard['hours'] {
  const start = days.yesterdayStart.getTime();
  const count = Math.floor((days.now.getTime() - start) / hourMs) + 1;
  const byHour = Map.groupBy(buckets, (bucket) => Math.floor((bucket.bucket.getTime() - start) / hourMs));
  return Array.from({ length: count }, (_, index) => {
    const inHour = byHour.get(index) ?? [];
    const collected = inHour.filter((bucket) => bucket.kind === 'collection');
    return {
      startsAt: new Date(start + index * hourMs).toISOString(),
      collected: formatAmount(sumDone(collected), currency),
      collectedCount: collected.reduce((sum, bucket) => sum + bucket.done, 0),
      paidOut: formatAmount(sumDone(inHour.filter((bucket) => bucket.kind === 'payout')), currency),
    };
  });
}

function sumDone(buckets: readonly Bucket[]): bigint {
  return buckets.reduce((sum, bucket) => sum + bucket.doneAmountMinor, 0n);
}
