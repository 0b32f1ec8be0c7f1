import { historyDays, type StatusDay, type StatusIncident } from '@hengfu/contract/status';
import { addDays, dayOf } from '@hengfu/ui/language/zone.ts';

/** The level of a day's bar; `none` if nothing was measured. */
export type DayLevel = 'none' | 'good' | 'some' | 'bad';

/** A day is bad if the component was down for this share of the measured time. */
const badDownShare = 0.1;

/** A day with the level of its bar. */
export interface StripDay extends StatusDay {
  level: DayLevel;
}

/** Returns the days of the history up to today, oldest first, including those without samples. */
export function stripOf(days: readonly StatusDay[], today: string): StripDay[] {
  const known = new Map(days.map((day) => [day.day, day]));
  return Array.from({ length: historyDays }, (_, index) => {
    const day = addDays(today, index - historyDays + 1);
    const found = known.get(day) ?? { day, measured: 0, degraded: 0, down: 0 };
    return { ...found, level: levelOf(found) };
  });
}

function levelOf({ measured, degraded, down }: StatusDay): DayLevel {
  if (measured === 0) return 'none';
  if (degraded + down === 0) return 'good';
  return down / measured >= badDownShare ? 'bad' : 'some';
}

const steps = 10_000;

/** Returns the share of measured minutes without a fault, rounded down; null if none was measured. */
export function uptimeShare(days: readonly StatusDay[]): number | null {
  const measured = days.reduce((sum, day) => sum + day.measured, 0);
  const faulty = days.reduce((sum, day) => sum + day.degraded + day.down, 0);
  return measured === 0 ? null : Math.floor(((measured - faulty) / measured) * steps) / steps;
}

/** Groups incidents by the day on which they began in a zone, keeping their order. */
export function byDay(
  incidents: readonly StatusIncident[],
  zone: string,
): { day: string; incidents: StatusIncident[] }[] {
  const days = Map.groupBy(incidents, ({ startedAt }) => dayOf(Date.parse(startedAt), zone));
  return [...days].map(([day, ofDay]) => ({ day, incidents: ofDay }));
}

const oldAfterMs = 180_000;

/** Whether sampling had stopped by the time of the reply. */
export function isSampleOld(asOf: string, sampledAt: string | null): boolean {
  return sampledAt === null || Date.parse(asOf) - Date.parse(sampledAt) > oldAfterMs;
}
