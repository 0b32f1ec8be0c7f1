import { startOfDayAt } from '@hengfu/contract/daily-reports';

const dayMs = 86_400_000;

/** The days of a calendar month that lie in a range. */
export interface MonthDays {
  month: string;
  from: string;
  to: string;
}

/** The calendar months of a range, the earliest first. */
export function monthsOf({ from, to }: { from: string; to: string }): MonthDays[] {
  const months: MonthDays[] = [];
  for (let first = from; first <= to; ) {
    const [year, month] = [Number(first.slice(0, 4)), Number(first.slice(5, 7))];
    const next = textOf(Date.UTC(year, month, 1));
    const last = textOf(Date.parse(next) - dayMs);
    months.push({ month: first.slice(0, 7), from: first, to: last < to ? last : to });
    first = next;
  }
  return months;
}

/** Where each of some spans of days begins under an offset, and where the last one ends. */
export function midnightsOf(spans: readonly { from: string; to: string }[], offset: string): Date[] {
  const last = spans.at(-1);
  if (!last) return [];
  const end = new Date(startOfDayAt(last.to, offset).getTime() + dayMs);
  return [...spans.map(({ from }) => startOfDayAt(from, offset)), end];
}

/** A span that two offsets count to different days. */
export interface Boundary {
  from: Date;
  to: Date;
  /** The day that the first offset counts it to, and the one that the other does. */
  day: string;
  otherDay: string;
}

/** The spans between the midnights of two offsets, at the beginning of each day and after the last one. */
export function boundariesOf({
  from,
  to,
  offset,
  other,
}: Record<'from' | 'to' | 'offset' | 'other', string>): Boundary[] {
  const boundaries: Boundary[] = [];
  for (let atMs = Date.parse(from); atMs <= Date.parse(to) + dayMs; atMs += dayMs) {
    const date = textOf(atMs);
    const before = textOf(atMs - dayMs);
    const [own, others] = [startOfDayAt(date, offset), startOfDayAt(date, other)];
    // Between the two, the one whose day has begun counts to the new day, the other one to the old.
    if (own < others) boundaries.push({ from: own, to: others, day: date, otherDay: before });
    if (others < own) boundaries.push({ from: others, to: own, day: before, otherDay: date });
  }
  return boundaries;
}

function textOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}
