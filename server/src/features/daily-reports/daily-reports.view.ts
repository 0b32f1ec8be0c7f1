import type { DailyReport, DailyTotals } from '@hengfu/contract/daily-reports';
import { type Currency, formatAmount } from '@hengfu/contract/money';
import type { Day } from './daily-reports.service.ts';

/** A day as the wire has it. */
export function toReport(day: Day, utcOffset: string, currency: Currency): DailyReport {
  const settlementAt = day.settlementAt?.toISOString() ?? null;
  return { date: day.date, ...toFigures(day, currency), settlementAt, utcOffset };
}

/** A day's figures, or those of all days, as the wire has them. */
export function toFigures(of: Omit<Day, 'date' | 'settlementAt'>, currency: Currency): DailyTotals {
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
