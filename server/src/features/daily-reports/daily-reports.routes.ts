import type { DailyReport, DailyTotals, dailyReportEndpoints } from '@hengfu/contract/daily-reports';
import { type Currency, formatAmount } from '@hengfu/contract/money';
import type { Database } from '#db/database.ts';
import type { Handlers } from '#http/bind.ts';
import { type Day, readMoved, readReport } from './daily-reports.service.ts';

/** The console's calls about daily reports. */
export function dailyReportHandlers(database: Database): Handlers<typeof dailyReportEndpoints> {
  return {
    list: async ({ caller: { home }, query }) => {
      const { days, totals } = await readReport(database, home, query);
      const { currency } = home;
      return {
        data: days.map((day) => toReport(day, query.offset, currency)),
        totals: toFigures(totals, currency),
        currency,
      };
    },
    moved: async ({ caller: { home }, query }) => {
      const { currency } = home;
      const spans = await readMoved(database, home, query);
      return {
        currency,
        data: spans.map(({ boundary, sums }) => ({
          from: boundary.from.toISOString(),
          to: boundary.to.toISOString(),
          ...{ day: boundary.day, otherDay: boundary.otherDay },
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

function toReport(day: Day, utcOffset: string, currency: Currency): DailyReport {
  const settlementAt = day.settlementAt?.toISOString() ?? null;
  return { date: day.date, ...toFigures(day, currency), settlementAt, utcOffset };
}

function toFigures(of: Omit<Day, 'date' | 'settlementAt'>, currency: Currency): DailyTotals {
  const text = (amountMinor: bigint) => formatAmount(amountMinor, currency);
  const { collectionCount, paymentCount, settlementCount } = of;
  return {
    ...{ collectionCount, paymentCount, settlementCount },
    collectionAmount: text(of.collectionMinor),
    collectionFee: text(of.collectionFeeMinor),
    paymentAmount: text(of.paymentMinor),
    paymentFee: text(of.paymentFeeMinor),
    settlementAmount: text(of.settlementMinor),
  };
}
