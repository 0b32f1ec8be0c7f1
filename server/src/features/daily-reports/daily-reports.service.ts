import type { DailyReportQuery, MovedQuery } from '@hengfu/contract/daily-reports';
import type { Home } from '#caller.ts';
import type { Snapshots } from '#db/snapshots.ts';
import { type Boundary, boundariesOf } from './daily-reports.rules.ts';
import { type DayRow, type MovedRow, readDays, readSpans } from './daily-reports.sql.ts';

export type Day = DayRow;

/** The days of a range, and what they come to together. */
export async function readReport(
  snapshots: Snapshots,
  { merchantId, currency }: Home,
  query: DailyReportQuery,
): Promise<{ days: Day[]; totals: Omit<Day, 'date' | 'settlementAt'> }> {
  const days = await snapshots.ofMerchant(merchantId, (tx) => readDays(tx, currency, query), {
    oneStatement: true,
    onePlan: true,
  });
  const minor = (pick: (day: Day) => bigint) => days.reduce((sum, day) => sum + pick(day), 0n);
  const count = (pick: (day: Day) => number) => days.reduce((sum, day) => sum + pick(day), 0);
  return {
    days,
    totals: {
      collectionMinor: minor((day) => day.collectionMinor),
      collectionCount: count((day) => day.collectionCount),
      collectionFeeMinor: minor((day) => day.collectionFeeMinor),
      paymentMinor: minor((day) => day.paymentMinor),
      paymentCount: count((day) => day.paymentCount),
      paymentFeeMinor: minor((day) => day.paymentFeeMinor),
      settlementMinor: minor((day) => day.settlementMinor),
      settlementCount: count((day) => day.settlementCount),
    },
  };
}

/** The spans around midnight whose orders two offsets count to different days. */
export async function readMoved(
  snapshots: Snapshots,
  { merchantId, currency }: Home,
  query: MovedQuery,
): Promise<{ boundary: Boundary; sums: MovedRow }[]> {
  const boundaries = boundariesOf(query);
  const rows = await snapshots.ofMerchant(merchantId, (tx) => readSpans(tx, currency, boundaries), {
    oneStatement: true,
  });
  return rows.flatMap((sums) => {
    const boundary = boundaries[sums.at];
    return boundary ? [{ boundary, sums }] : [];
  });
}
