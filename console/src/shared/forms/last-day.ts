import { addDays, dayOf, startOfDay } from '@hengfu/ui/language/zone.ts';

/** The last day of something that ends at an instant, in the user's zone; '' if it does not end. */
export function lastDayOf(endsAt: string | null, zone: string): string {
  return endsAt === null ? '' : dayOf(Date.parse(endsAt) - 1, zone);
}

/** The instant at which something ends whose last day is given. A day that was not changed keeps its instant, whatever zone it was chosen in. */
export function endOf(lastDay: string, zone: string, before: string | null = null): string | null {
  if (lastDay === '') return null;
  if (before !== null && lastDay === lastDayOf(before, zone)) return before;
  return new Date(startOfDay(addDays(lastDay, 1), zone)).toISOString();
}
