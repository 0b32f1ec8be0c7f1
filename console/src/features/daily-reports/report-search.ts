import { type DailyReportQuery, offsetOf, startOfDayAt, utcOffsets } from '@hengfu/contract/daily-reports';
import * as z from 'zod';
import { addDays } from '../../ui/zone.ts';

/** What the address says of a report; anything may be missing. */
export interface ReportSearch {
  offset?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  other?: string | undefined;
}

const usualDays = 30;
const minuteMs = 60_000;

/**
 * The report that an address asks for: the zone's own offset of now and the last thirty days under it, where it says
 * nothing else.
 */
export function reportOf(search: ReportSearch, nowMs: number, zoneOffsetMs: number): DailyReportQuery {
  const own = offsetOf(Math.round(zoneOffsetMs / minuteMs / 15) * 15);
  const offset = known(search.offset) ?? own;
  const to = knownDay(search.to) ?? todayAt(offset, nowMs);
  const from = knownDay(search.from) ?? addDays(to, 1 - usualDays);
  return { offset, from, to };
}

/** An offset that there is. */
export function known(offset: string | undefined): string | undefined {
  return offset !== undefined && utcOffsets.includes(offset) ? offset : undefined;
}

function knownDay(date: string | undefined): string | undefined {
  return date !== undefined && z.iso.date().safeParse(date).success ? date : undefined;
}

/** The calendar day under an offset. */
export function todayAt(offset: string, nowMs: number): string {
  const startOfEpochMs = Date.parse(`1970-01-01T00:00:00${offset}`);
  return new Date(nowMs - startOfEpochMs).toISOString().slice(0, 10);
}

/** The instants that some days begin and end at under an offset, as lists take them. */
export function instantsOf(
  { from, to }: { from: string; to: string },
  offset: string,
): { from: string; to: string } {
  const at = (day: string) => startOfDayAt(day, offset).toISOString();
  return { from: at(from), to: at(addDays(to, 1)) };
}
