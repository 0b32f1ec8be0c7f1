import type { DailyReportQuery, MovedQuery } from '@hengfu/contract/daily-reports';
import type { Snapshots } from '#db/snapshots.ts';
import type { Home } from '#domain/caller.ts';
import { type Boundary, boundariesOf, type MonthDays, midnightsOf, monthsOf } from './daily-reports.rules.ts';
import { type DayRow, type MovedRow, readDays, readSpans, type Sums } from './daily-reports.sql.ts';
import { readSums } from './months.sql.ts';

export type Day = DayRow;
export type Month = MonthDays & Sums;
/** What all days of a report come to together. */
export type Totals = Omit<Sums, 'settlementAt'>;

const inOneGo = { oneStatement: true, onePlan: true } as const;

/** The days of a range, and what they come to together. */
export async function readReport(
  snapshots: Snapshots,
  { merchantId, currency }: Home,
  query: DailyReportQuery,
): Promise<{ days: Day[]; totals: Totals }> {
  const days = await snapshots.ofMerchant(merchantId, (tx) => readDays(tx, currency, query), inOneGo);
  return { days, totals: totalsOf(days) };
}

/** The months of a range, the newest first, and what they come to together. */
export async function readMonths(
  snapshots: Snapshots,
  { merchantId, currency }: Home,
  query: DailyReportQuery,
): Promise<{ months: Month[]; totals: Totals }> {
  const months = monthsOf(query);
  const sums = await snapshots.ofMerchant(
    merchantId,
    (tx) => readSums(tx, currency, midnightsOf(months, query.offset)),
    inOneGo,
  );
  const told = sums.flatMap((each, place) => {
    const month = months[place];
    return month ? [{ ...month, ...each }] : [];
  });
  return { months: told.reverse(), totals: totalsOf(told) };
}

function totalsOf(all: readonly Sums[]): Totals {
  const minor = (pick: (sums: Sums) => bigint) => all.reduce((sum, sums) => sum + pick(sums), 0n);
  const count = (pick: (sums: Sums) => number) => all.reduce((sum, sums) => sum + pick(sums), 0);
  return {
    collectionMinor: minor((sums) => sums.collectionMinor),
    collectionCount: count((sums) => sums.collectionCount),
    collectionFeeMinor: minor((sums) => sums.collectionFeeMinor),
    paymentMinor: minor((sums) => sums.paymentMinor),
    paymentCount: count((sums) => sums.paymentCount),
    paymentFeeMinor: minor((sums) => sums.paymentFeeMinor),
    settlementMinor: minor((sums) => sums.settlementMinor),
    settlementCount: count((sums) => sums.settlementCount),
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
