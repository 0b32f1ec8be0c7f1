import type { DailyReport, DailyTotals, MonthlyReport } from '@hengfu/contract/daily-reports';
import { type Currency, formatAmount } from '@hengfu/contract/money';
import type { Day, Month, Totals } from './daily-reports.service.ts';

/** Maps a day to its API form. */
export function toReport(day: Day, utcOffset: string, currency: Currency): DailyReport {
  const settlementAt = day.settlementAt?.toISOString() ?? null;
  return { ...toFigures(day, currency), date: day.date, settlementAt, utcOffset };
}

/** Maps a month to its API form. */
export function toMonth(month: Month, utcOffset: string, currency: Currency): MonthlyReport {
  const { month: name, from, to } = month;
  const settlementAt = month.settlementAt?.toISOString() ?? null;
  return { ...toFigures(month, currency), month: name, from, to, settlementAt, utcOffset };
}

/** Maps the figures of a day, a month or a whole report to their API form. */
export function toFigures(of: Totals, currency: Currency): DailyTotals {
  const text = (amountMinor: bigint) => formatAmount(amountMinor, currency);
  return {
    collectionAmount: text(of.collectionMinor),
    collectionCount: of.collectionCount,
    collectionFee: text(of.collectionFeeMinor),
    refundAmount: text(of.refundMinor),
    refundCount: of.refundCount,
    refundFee: text(of.refundFeeMinor),
    paymentAmount: text(of.paymentMinor),
    paymentCount: of.paymentCount,
    paymentFee: text(of.paymentFeeMinor),
    settlementAmount: text(of.settlementMinor),
    settlementCount: of.settlementCount,
  };
}
