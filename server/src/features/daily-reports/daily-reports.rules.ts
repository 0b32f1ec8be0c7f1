import { startOfDayAt } from '@hengfu/contract/daily-reports';

const dayMs = 86_400_000;

/** The part of a calendar month that lies in a range of days. */
export interface MonthDays {
  month: string;
  from: string;
  to: string;
}

/** Splits a range of days into calendar months, earliest first. */
export function monthsOf({ from, to }: { from: string; to: string }): MonthDays[] {
  const months: MonthDays[] = [];
  for (let first = from; first <= to; ) {
    const [year, month] = [Number(first.slice(0, 4)), Number(first.slice(5, 7))];
    const next = isoDate(Date.UTC(year, month, 1));
    const last = isoDate(Date.parse(next) - dayMs);
    months.push({ month: first.slice(0, 7), from: first, to: last < to ? last : to });
    first = next;
  }
  return months;
}

/** Returns the start of each span of days under an offset, and the end of the last one. */
export function midnightsOf(spans: readonly { from: string; to: string }[], offset: string): Date[] {
  const last = spans.at(-1);
  if (!last) return [];
  const end = new Date(startOfDayAt(last.to, offset).getTime() + dayMs);
  return [...spans.map(({ from }) => startOfDayAt(from, offset)), end];
}

/** A span of time that two offsets assign to different days. */
export interface Boundary {
  from: Date;
  to: Date;
  /** The day under the first offset, and the day under the other. */
  day: string;
  otherDay: string;
}

/** Returns the spans between two offsets' midnights, at the start of each day and after the last one. */
export function boundariesOf({
  from,
  to,
  offset,
  other,
}: Record<'from' | 'to' | 'offset' | 'other', string>): Boundary[] {
  const boundaries: Boundary[] = [];
  for (let atMs = Date.parse(from); atMs <= Date.parse(to) + dayMs; atMs += dayMs) {
    const date = isoDate(atMs);
    const before = isoDate(atMs - dayMs);
    const [own, others] = [startOfDayAt(date, offset), startOfDayAt(date, other)];
    // In between, the offset with the earlier midnight is already in the new day, the other not yet.
    if (own < others) boundaries.push({ from: own, to: others, day: date, otherDay: before });
    if (others < own) boundaries.push({ from: others, to: own, day: before, otherDay: date });
  }
  return boundaries;
}

function isoDate(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}
