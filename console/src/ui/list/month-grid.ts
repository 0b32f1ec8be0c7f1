import { addDays } from '../zone.ts';

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

/** The weeks of a month (`YYYY-MM`), seven days each from Monday, including days of adjacent months. */
export function monthGrid(month: string): string[][] {
  const first = `${month}-01`;
  const weekday = (new Date(`${first}T00:00:00Z`).getUTCDay() + 6) % 7;
  const weeks: string[][] = [];
  for (let day = addDays(first, -weekday); day.slice(0, 7) <= month; day = addDays(day, 7)) {
    weeks.push(Array.from({ length: 7 }, (_, index) => addDays(day, index)));
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

/** The weekdays' names from Monday to Sunday. */
export function weekdayNames(locale: string): { long: string; short: string }[] {
  const monday = Date.UTC(2026, 0, 5);
  return Array.from({ length: 7 }, (_, index) => {
    const dayMs = monday + index * 86_400_000;
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
