import { type DailyReportQuery, offsetOf, startOfDayAt, utcOffsets } from '@hengfu/contract/daily-reports';
import { addDays } from '@hengfu/ui/language/zone.ts';
import * as z from 'zod';

/** The search parameters of a report; any may be missing. */
export interface ReportSearch {
  offset?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  other?: string | undefined;
}

const defaultDays = 30;
const minuteMs = 60_000;

/**
 * Returns the report that the search parameters ask for. Defaults to the zone's current offset and the last
 * thirty days.
 */
export function reportOf(search: ReportSearch, nowMs: number, zoneOffsetMs: number): DailyReportQuery {
  const zoneOffset = offsetOf(Math.round(zoneOffsetMs / minuteMs / 15) * 15);
  const offset = knownOffset(search.offset) ?? zoneOffset;
  const to = knownDay(search.to) ?? todayAt(offset, nowMs);
  const from = knownDay(search.from) ?? addDays(to, 1 - defaultDays);
  return { offset, from, to };
}

/** Returns the offset if it exists, else undefined. */
export function knownOffset(offset: string | undefined): string | undefined {
  return offset !== undefined && utcOffsets.includes(offset) ? offset : undefined;
}

function knownDay(date: string | undefined): string | undefined {
  return date !== undefined && z.iso.date().safeParse(date).success ? date : undefined;
}

/** Returns the current date at an offset. */
export function todayAt(offset: string, nowMs: number): string {
  const startOfEpochMs = Date.parse(`1970-01-01T00:00:00${offset}`);
  return new Date(nowMs - startOfEpochMs).toISOString().slice(0, 10);
}

/** Returns the start and end of a range of days at an offset, as list filters take them. */
export function instantsOf(
  { from, to }: { from: string; to: string },
  offset: string,
): { from: string; to: string } {
  const at = (day: string) => startOfDayAt(day, offset).toISOString();
  return { from: at(from), to: at(addDays(to, 1)) };
}
