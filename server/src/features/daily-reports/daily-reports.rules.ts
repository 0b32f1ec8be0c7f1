import { startOfDayAt } from '@hengfu/contract/daily-reports';

const dayMs = 86_400_000;

/** The days of a calendar month that lie in a range. */
export interface MonthDays {
  month: string;
  from: string;
  to: string;
}

/** The calendar months of a range, the newest first. */
export function monthsOf({ from, to }: { from: string; to: string }): MonthDays[] {
  const months: MonthDays[] = [];
  for (let last = to; last >= from; ) {
    const month = last.slice(0, 7);
    const first = from > `${month}-01` ? from : `${month}-01`;
    months.push({ month, from: first, to: last });
    last = textOf(Date.parse(first) - dayMs);
  }
  return months;
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
