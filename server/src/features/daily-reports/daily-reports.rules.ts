import { startOfDayAt } from '@hengfu/contract/daily-reports';

const dayMs = 86_400_000;

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
