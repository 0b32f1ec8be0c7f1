import type { DailyReportQuery, MovedQuery } from '@hengfu/contract/daily-reports';
import type { Snapshots } from '#db/snapshots.ts';
import type { Home } from '#domain/caller.ts';
import { type Boundary, boundariesOf, type MonthDays, midnightsOf, monthsOf } from './daily-reports.rules.ts';
import { type DayRow, type MovedRow, readDays, readSpans, type Sums } from './daily-reports.sql.ts';
import { readSums } from './months.sql.ts';

export type Day = DayRow;
export type Month = MonthDays & Sums;
/** Totals of all days of a report. */
export type Totals = Omit<Sums, 'settlementAt'>;

const singleStatement = { oneStatement: true, onePlan: true } as const;

/** Reads the days of a range and their totals. */
export async function readReport(
  snapshots: Snapshots,
  { merchantId, currency }: Home,
  query: DailyReportQuery,
): Promise<{ days: Day[]; totals: Totals }> {
  const days = await snapshots.ofMerchant(merchantId, (tx) => readDays(tx, currency, query), singleStatement);
  return { days, totals: totalsOf(days) };
}

/** Reads the months of a range, newest first, and their totals. */
export async function readMonths(
  snapshots: Snapshots,
  { merchantId, currency }: Home,
  query: DailyReportQuery,
): Promise<{ months: Month[]; totals: Totals }> {
  const months = monthsOf(query);
  const sums = await snapshots.ofMerchant(
    merchantId,
    (tx) => readSums(tx, currency, midnightsOf(months, query.offset)),
    singleStatement,
  );
  const found = sums.flatMap((monthSums, index) => {
    const month = months[index];
    return month ? [{ ...month, ...monthSums }] : [];
  });
  return { months: found.reverse(), totals: totalsOf(found) };
}

function totalsOf(all: readonly Sums[]): Totals {
  const minor = (pick: (sums: Sums) => bigint) => all.reduce((sum, sums) => sum + pick(sums), 0n);
  const count = (pick: (sums: Sums) => number) => all.reduce((sum, sums) => sum + pick(sums), 0);
  return {
    collectionMinor: minor((sums) => sums.collectionMinor),
    collectionCount: count((sums) => sums.collectionCount),
    collectionFeeMinor: minor((sums) => sums.collectionFeeMinor),
    refundMinor: minor((sums) => sums.refundMinor),
    refundCount: count((sums) => sums.refundCount),
    refundFeeMinor: minor((sums) => sums.refundFeeMinor),
    paymentMinor: minor((sums) => sums.paymentMinor),
    paymentCount: count((sums) => sums.paymentCount),
    paymentFeeMinor: minor((sums) => sums.paymentFeeMinor),
    settlementMinor: minor((sums) => sums.settlementMinor),
    settlementCount: count((sums) => sums.settlementCount),
  };
}

/** Reads the sums of the spans around midnight that two offsets assign to different days. */
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
