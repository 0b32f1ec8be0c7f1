/**
 * Converts calendar days and clock times of a time zone to instants and back, correctly across
 * daylight-saving changes. Pure: "now" is an argument, and the browser's own zone is not used. Days are
 * `YYYY-MM-DD`, clock times `HH:mm`.
 */

const dayMs = 86_400_000;

const wallFormats = new Map<string, Intl.DateTimeFormat>();

/** Cached per zone: creating an `Intl` object costs a thousand times as much as using it. */
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

/** The zone's local time as if it were UTC, in milliseconds (whole seconds). */
function wallMs(instantMs: number, zone: string): number {
  const parts: Record<string, number> = {};
  for (const { type, value } of wallFormat(zone).formatToParts(instantMs)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** The zone's offset from UTC at an instant, in milliseconds; positive is ahead. */
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

/** The day `count` calendar days later, independent of any zone. */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * dayMs).toISOString().slice(0, 10);
}

/**
 * The instant of a local day and time. An ambiguous time is its first occurrence; a skipped time moves
 * forward by the length of the gap, so a skipped midnight is the day's first instant. `24:00` is the next
 * day's midnight.
 */
export function instantAt(day: string, time: string, zone: string): number {
  if (time === '24:00') return startOfDay(addDays(day, 1), zone);
  const wall = Date.parse(`${day}T${time}:00Z`);
  // No zone changes its offset twice within two days, so only the offsets a day before and after are
  // candidates.
  const before = offsetMs(wall - dayMs, zone);
  const after = offsetMs(wall + dayMs, zone);
  const matches = [before, after]
    .map((offset) => wall - offset)
    .filter((instantMs) => wallMs(instantMs, zone) === wall);
  return matches.length > 0 ? Math.min(...matches) : wall - before;
}

/** The first instant of a calendar day in the zone. */
export function startOfDay(day: string, zone: string): number {
  return instantAt(day, '00:00', zone);
}

/** Formats an instant for the contract's ranges: ISO 8601 in UTC, without milliseconds if they are zero. */
export function toWire(instantMs: number): string {
  return new Date(instantMs).toISOString().replace('.000Z', 'Z');
}
