/**
 * Calendar days and clock times of a time zone as instants, right across daylight-saving changes. Pure: "now" is an
 * argument, and the browser's own zone plays no part. Days are `YYYY-MM-DD`, clock times `HH:mm`.
 */

const dayMs = 86_400_000;

const wallFormats = new Map<string, Intl.DateTimeFormat>();

/** One per zone is kept: making an `Intl` object costs a thousand times as much as using it. */
function wallFormat(zone: string): Intl.DateTimeFormat {
  let format = wallFormats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
    wallFormats.set(zone, format);
  }
  return format;
}

/** What a clock on the wall shows, written as if it were UTC (whole seconds). */
function wallMs(instantMs: number, zone: string): number {
  const parts: Record<string, number> = {};
  for (const { type, value } of wallFormat(zone).formatToParts(instantMs)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** How far the zone is ahead of UTC at an instant, in milliseconds. */
export function offsetMs(instantMs: number, zone: string): number {
  return wallMs(instantMs, zone) - Math.floor(instantMs / 1000) * 1000;
}

/** The calendar day of an instant in the zone. */
export function dayOf(instantMs: number, zone: string): string {
  return new Date(wallMs(instantMs, zone)).toISOString().slice(0, 10);
}

/** The clock time of an instant in the zone. */
export function timeOf(instantMs: number, zone: string): string {
  return new Date(wallMs(instantMs, zone)).toISOString().slice(11, 16);
}

/** The day `count` calendar days later; no zone has a say in it. */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * dayMs).toISOString().slice(0, 10);
}

/**
 * The instant at which the zone's clock shows the day and time. A time that happens twice is its first occurrence; a
 * time that is skipped is as long after the change as it would have been, so midnight where midnight is skipped is the
 * day's first instant. `24:00` is the next day's midnight.
 */
export function instantAt(day: string, time: string, zone: string): number {
  if (time === '24:00') return startOfDay(addDays(day, 1), zone);
  const wall = Date.parse(`${day}T${time}:00Z`);
  // No zone changes its offset twice within two days: the offsets in force before and after are all there can be.
  const before = offsetMs(wall - dayMs, zone);
  const after = offsetMs(wall + dayMs, zone);
  const fitting = [before, after]
    .map((offset) => wall - offset)
    .filter((instantMs) => wallMs(instantMs, zone) === wall);
  return fitting.length > 0 ? Math.min(...fitting) : wall - before;
}

/** The first instant of a calendar day in the zone. */
export function startOfDay(day: string, zone: string): number {
  return instantAt(day, '00:00', zone);
}

/** An instant as the contract's ranges take it: ISO 8601 in UTC, whole seconds where it is one. */
export function toWire(instantMs: number): string {
  return new Date(instantMs).toISOString().replace('.000Z', 'Z');
}
