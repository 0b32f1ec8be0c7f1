import * as z from 'zod';

/** Filters that are ends of a time range, by name: instants, or calendar days. */
export type TimeFilters = ReadonlyMap<string, 'instant' | 'day'>;

/** Finds the ends of time ranges among the filters of a list, as its schema declares them. */
export function timeFiltersOf({ shape }: z.ZodObject): TimeFilters {
  const found = new Map<string, 'instant' | 'day'>();
  for (const [name, field] of Object.entries(shape)) {
    const value: unknown = field instanceof z.ZodOptional ? field.unwrap() : field;
    if (value instanceof z.ZodISODateTime) found.set(name, 'instant');
    else if (value instanceof z.ZodISODate) found.set(name, 'day');
  }
  return found;
}

/** A period of whole days: its start and its end, and the first and the last of its days. */
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

/** Returns the filters other than ends of time ranges, which a period is to replace. */
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
