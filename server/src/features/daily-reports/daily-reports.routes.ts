import type { dailyReportEndpoints } from '@hengfu/contract/daily-reports';
import { formatAmount } from '@hengfu/contract/money';
import type { Snapshots } from '#db/snapshots.ts';
import type { Handlers } from '#http/bind.ts';
import { readMonths, readMoved, readReport } from './daily-reports.service.ts';
import { toFigures, toMonth, toReport } from './daily-reports.view.ts';

/** Handlers of the daily report endpoints. */
export function dailyReportHandlers(snapshots: Snapshots): Handlers<typeof dailyReportEndpoints> {
  return {
    list: async ({ caller: { home }, query }) => {
      const { days, totals } = await readReport(snapshots, home, query);
      const { currency } = home;
      return {
        data: days.map((day) => toReport(day, query.offset, currency)),
        totals: toFigures(totals, currency),
        currency,
      };
    },
    months: async ({ caller: { home }, query }) => {
      const { months, totals } = await readMonths(snapshots, home, query);
      const { currency } = home;
      return {
        data: months.map((month) => toMonth(month, query.offset, currency)),
        totals: toFigures(totals, currency),
        currency,
      };
    },
    moved: async ({ caller: { home }, query }) => {
      const { currency } = home;
      const spans = await readMoved(snapshots, home, query);
      return {
        currency,
        data: spans.map(({ boundary, sums }) => ({
          from: boundary.from.toISOString(),
          to: boundary.to.toISOString(),
          day: boundary.day,
          otherDay: boundary.otherDay,
          collections: {
            count: sums.collectionCount,
            amount: formatAmount(sums.collectionMinor, currency),
          },
          payouts: { count: sums.payoutCount, amount: formatAmount(sums.payoutMinor, currency) },
        })),
      };
    },
  };
}
