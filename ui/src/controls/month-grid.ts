import { addDays } from '../language/zone.ts';

const dayFormats = new Map<string, Intl.DateTimeFormat>();

function dayFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = locale + JSON.stringify(options);
  let format = dayFormats.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
    dayFormats.set(key, format);
  }
  return format;
}

const monday = 1;
const daysOfWeek = 7;

/** The day on which a week begins in a locale's region: 1 is Monday, 7 is Sunday. */
export function firstDayOfWeek(locale: string): number {
  // TypeScript's library and some browsers do not have it yet.
  const region: Intl.Locale & { getWeekInfo?: () => { firstDay: number } } = new Intl.Locale(locale);
  return region.getWeekInfo?.().firstDay ?? monday;
}

/** The first day of the week in which a day lies. */
export function startOfWeek(day: string, firstDay: number): string {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return addDays(day, -((weekday - firstDay + daysOfWeek) % daysOfWeek));
}

/** The weeks of a month (`YYYY-MM`), seven days each, including days of adjacent months. */
export function monthGrid(month: string, firstDay: number): string[][] {
  const weeks: string[][] = [];
  for (
    let day = startOfWeek(`${month}-01`, firstDay);
    day.slice(0, 7) <= month;
    day = addDays(day, daysOfWeek)
  ) {
    weeks.push(Array.from({ length: daysOfWeek }, (_, index) => addDays(day, index)));
  }
  return weeks;
}

/** The same day `count` months later, or that month's last day if it is shorter. */
export function addMonths(day: string, count: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const lastOfMonth = new Date(Date.UTC(year, month - 1 + count + 1, 0));
  lastOfMonth.setUTCDate(Math.min(date, lastOfMonth.getUTCDate()));
  return lastOfMonth.toISOString().slice(0, 10);
}

/** The weekdays' names in the order of the week. */
export function weekdayNames(locale: string, firstDay: number): { long: string; short: string }[] {
  const aMonday = Date.UTC(2026, 0, 5);
  return Array.from({ length: daysOfWeek }, (_, index) => {
    const dayMs = aMonday + (firstDay - monday + index) * 86_400_000;
    return {
      long: dayFormat(locale, { weekday: 'long' }).format(dayMs),
      short: dayFormat(locale, { weekday: 'narrow' }).format(dayMs),
    };
  });
}

/** Formats a month (`YYYY-MM`): "November 2026". */
export function monthName(month: string, locale: string): string {
  return dayFormat(locale, { year: 'numeric', month: 'long' }).format(Date.parse(`${month}-01T00:00:00Z`));
}

/** Whether a text is a day of the calendar, `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const timeMs = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(timeMs) && new Date(timeMs).toISOString().startsWith(text);
}
