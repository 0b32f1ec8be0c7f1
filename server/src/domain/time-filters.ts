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
