import type { Dashboard, DashboardSlot } from '@hengfu/contract/dashboard';
import { addDays, dayOf, startOfDay, timeOf } from '@hengfu/ui/language/zone.ts';

const hourMs = 3_600_000;

/** One hour or day of the chart and its table. Amounts are wire amounts, null if not known yet. */
export interface TrendRow {
  /** Clock times of an hour in the merchant's zone, "14:00" and "15:00"; or the day, twice. */
  from: string;
  to: string;
  collected: string | null;
  collectedCount: number | null;
  collectedBefore: string | null;
  paidOut: string | null;
}

type TrendSource = Pick<Dashboard, 'slots' | 'slotsBefore' | 'unit' | 'from' | 'zone'>;

/** Returns the hours of the period's day, or its days, each with its counterpart of the period before. */
export function trendRows(source: TrendSource): TrendRow[] {
  return source.unit === 'hour' ? hourRows(source) : dayRows(source);
}

/**
 * Returns a day's hours, midnight to midnight in the merchant's zone, each with the same hour of the day before (counted from
 * its midnight). A day on which the clocks change has 23 or 25 hours.
 */
function hourRows({ slots, slotsBefore, from: day, zone }: TrendSource): TrendRow[] {
  const start = startOfDay(day, zone);
  const length = Math.ceil((startOfDay(addDays(day, 1), zone) - start) / hourMs);
  return Array.from({ length }, (_, index) => ({
    from: timeOf(start + index * hourMs, zone),
    to: index === length - 1 ? '24:00' : timeOf(start + (index + 1) * hourMs, zone),
    ...valuesOf(slots[index], slotsBefore[index]),
  }));
}

/** Returns the period's days, each with the one as many days earlier as the period has. */
function dayRows({ slots, slotsBefore, zone }: TrendSource): TrendRow[] {
  return slots.map((slot, index) => {
    const day = dayOf(Date.parse(slot.startsAt), zone);
    return { from: day, to: day, ...valuesOf(slot, slotsBefore[index]) };
  });
}

function valuesOf(slot: DashboardSlot | undefined, before: DashboardSlot | undefined) {
  return {
    collected: slot?.collected ?? null,
    collectedCount: slot?.collectedCount ?? null,
    collectedBefore: before?.collected ?? null,
    paidOut: slot?.paidOut ?? null,
  };
}

/** One line of the chart. */
export type TrendSeries = 'collected' | 'collectedBefore' | 'paidOut';
export const trendSeries: readonly TrendSeries[] = ['collected', 'collectedBefore', 'paidOut'];

/** How each line is drawn. */
export const trendLooks: Readonly<
  Record<TrendSeries, { color: string; dash: number[]; width: number; isFilled?: boolean }>
> = {
  collected: { color: '--accent', dash: [], width: 2, isFilled: true },
  collectedBefore: { color: '--field', dash: [4, 4], width: 1.5 },
  paidOut: { color: '--second', dash: [10, 3], width: 2 },
};

/** Converts an amount to a point. Float rounding is finer than a pixel, and tables show the exact text. */
export function plotPoint(amount: string | null): number | null {
  return amount === null ? null : Number(amount);
}
