import type { TimeFilters } from '#domain/time-filters.ts';

/** A period of a schedule: its start and its end, and the first and the last of its days. */
export interface Period {
  from: Date;
  to: Date;
  firstDay: string;
  lastDay: string;
}

/** Some period, for checking filters before one has ended. */
export const samplePeriod: Period = {
  from: new Date('2026-01-01T00:00:00Z'),
  to: new Date('2026-01-02T00:00:00Z'),
  firstDay: '2026-01-01',
  lastDay: '2026-01-01',
};

/** Returns the filters other than ends of time ranges, which the schedule's period replaces. */
export function withoutTimes(
  filters: Readonly<Record<string, string>>,
  times: TimeFilters,
): Record<string, string> {
  return Object.fromEntries(Object.entries(filters).filter(([name]) => !times.has(name)));
}

/** Returns a period as filters of a list: of the time of creation, or of days. Undefined for a list with neither. */
export function rangeOf(
  times: TimeFilters,
  { from, to, firstDay, lastDay }: Period,
): Record<string, string> | undefined {
  if (times.get('createdFrom') === 'instant' && times.get('createdTo') === 'instant')
    return { createdFrom: from.toISOString(), createdTo: to.toISOString() };
  if (times.get('from') === 'day' && times.get('to') === 'day') return { from: firstDay, to: lastDay };
  return undefined;
}
