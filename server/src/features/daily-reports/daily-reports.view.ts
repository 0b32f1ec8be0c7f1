import type { DailyReport, DailyTotals, MonthlyReport } from '@hengfu/contract/daily-reports';
import { type Currency, formatAmount } from '@hengfu/contract/money';
import type { Day, Month, Totals } from './daily-reports.service.ts';

/** A day as the wire has it. */
export function toReport(day: Day, utcOffset: string, currency: Currency): DailyReport {
  const settlementAt = day.settlementAt?.toISOString() ?? null;
  return { ...toFigures(day, currency), date: day.date, settlementAt, utcOffset };
}

/** A month as the wire has it. */
export function toMonth(month: Month, utcOffset: string, currency: Currency): MonthlyReport {
  const { month: name, from, to } = month;
  const settlementAt = month.settlementAt?.toISOString() ?? null;
  return { ...toFigures(month, currency), month: name, from, to, settlementAt, utcOffset };
}

/** The figures of a day, a month, or all of them, as the wire has them. */
export function toFigures(of: Totals, currency: Currency): DailyTotals {
  const text = (amountMinor: bigint) => formatAmount(amountMinor, currency);
  return {
    collectionAmount: text(of.collectionMinor),
    collectionCount: of.collectionCount,
    collectionFee: text(of.collectionFeeMinor),
    paymentAmount: text(of.paymentMinor),
    paymentCount: of.paymentCount,
    paymentFee: text(of.paymentFeeMinor),
    settlementAmount: text(of.settlementMinor),
    settlementCount: of.settlementCount,
  };
}
