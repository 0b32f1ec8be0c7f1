import type { Dashboard } from '@hengfu/contract/dashboard';
import { addDays, dayOf, startOfDay, timeOf } from '../../ui/zone.ts';

const hourMs = 3_600_000;

/** One hour of the chart and its table. Amounts are wire amounts, null if not known yet. */
export interface TrendHour {
  /** Clock times in the merchant's zone, "14:00" and "15:00". */
  from: string;
  to: string;
  collected: string | null;
  collectedCount: number | null;
  collectedYesterday: string | null;
  paidOut: string | null;
}

/**
 * Returns today's hours, midnight to midnight in the merchant's zone, each with the same hour of yesterday
 * (counted from yesterday's midnight). A day on which the clocks change has 23 or 25 hours.
 */
export function trendHours({ hours, today, zone }: Pick<Dashboard, 'hours' | 'today' | 'zone'>): TrendHour[] {
  const start = startOfDay(today.date, zone);
  const length = Math.ceil((startOfDay(addDays(today.date, 1), zone) - start) / hourMs);
  const isToday = (hour: Dashboard['hours'][number]) => dayOf(Date.parse(hour.startsAt), zone) === today.date;
  const ofToday = hours.filter(isToday);
  const ofYesterday = hours.filter((hour) => !isToday(hour));
  return Array.from({ length }, (_, index) => ({
    from: timeOf(start + index * hourMs, zone),
    to: index === length - 1 ? '24:00' : timeOf(start + (index + 1) * hourMs, zone),
    collected: ofToday[index]?.collected ?? null,
    collectedCount: ofToday[index]?.collectedCount ?? null,
    collectedYesterday: ofYesterday[index]?.collected ?? null,
    paidOut: ofToday[index]?.paidOut ?? null,
  }));
}

/** One line of the chart. */
export type TrendSeries = 'collected' | 'collectedYesterday' | 'paidOut';
export const trendSeries: readonly TrendSeries[] = ['collected', 'collectedYesterday', 'paidOut'];

/** Converts an amount to a point. Float rounding is finer than a pixel, and tables show the exact text. */
function plotPoint(amount: string | null): number | null {
  return amount === null ? null : Number(amount);
}

/** Returns the columns that uPlot draws: the hours' indexes, then one column per line. */
export function plotData(hours: readonly TrendHour[]): [number[], ...(number | null)[][]] {
  const lines = trendSeries.map((series) => hours.map((hour) => plotPoint(hour[series])));
  return [hours.map((_, index) => index), ...lines];
}
