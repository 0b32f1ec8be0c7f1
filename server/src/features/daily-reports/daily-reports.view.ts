import type { DailyReport, DailyTotals } from '@hengfu/contract/daily-reports';
import { type Currency, formatAmount } from '@hengfu/contract/money';
import type { Day } from './daily-reports.service.ts';

/** A day as the wire has it. */
export function toReport(day: Day, utcOffset: string, currency: Currency): DailyReport {
  const settlementAt = day.settlementAt?.toISOString() ?? null;
  return { ...toFigures(day, currency), date: day.date, settlementAt, utcOffset };
}

/** A day's figures, or those of all days, as the wire has them. */
export function toFigures(of: Omit<Day, 'date' | 'settlementAt'>, currency: Currency): DailyTotals {
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
