/** The period of a dashboard and the one before it, in the merchant's zone. */
export interface Period {
  now: Date;
  /** First and last day, YYYY-MM-DD. */
  first: string;
  last: string;
  days: number;
  /** The comparison covers the period up to here: the end of the last complete quarter-hour. */
  cut: Date;
  startsAt: Date;
  /** Of the comparison: as many days earlier. */
  cutBefore: Date;
  startsBefore: Date;
}

/** An hour or a day, or the part of it before or after the end of the comparison. */
export interface Slot {
  isBefore: boolean;
  isCompared: boolean;
  /** Start of the whole hour or day. */
  unit: Date;
  startsAt: Date;
  endsAt: Date;
}

/** The slots in columns, earliest first. */
export interface SlotColumns {
  units: readonly Date[];
  starts: readonly Date[];
  ends: readonly Date[];
}

/** Returns a period's slots, each with the side that it is on. */
export function slotsOf(
  { startsAt: start, cut, cutBefore }: Period,
  { units, starts, ends }: SlotColumns,
): Slot[] {
  return units.flatMap((unit, index) => {
    const [startsAt, endsAt] = [starts[index], ends[index]];
    if (!startsAt || !endsAt) return [];
    const isBefore = startsAt < start;
    return [{ isBefore, isCompared: startsAt < (isBefore ? cutBefore : cut), unit, startsAt, endsAt }];
  });
}

/** Returns the start of each span and the end of the last one; the spans follow each other without gaps. */
export function edgesOf(spans: readonly Pick<Slot, 'startsAt' | 'endsAt'>[]): Date[] {
  const last = spans.at(-1);
  return last ? [...spans.map(({ startsAt }) => startsAt), last.endsAt] : [];
}

/** Joins the slots of the period and of the one before it, each up to the end of the comparison and from there on. */
export function sidesOf(slots: readonly Slot[]): Slot[] {
  return joined(slots, ({ isBefore, isCompared }) => `${isBefore} ${isCompared}`);
}

/** Joins the parts of each hour or day of the period. */
export function unitsOf(slots: readonly Slot[]): Slot[] {
  return joined(
    slots.filter(({ isBefore }) => !isBefore),
    ({ unit }) => unit.toISOString(),
  );
}

/** Joins slots with the same key, which follow each other. */
function joined(slots: readonly Slot[], keyOf: (slot: Slot) => string): Slot[] {
  return [...Map.groupBy(slots, keyOf).values()].flatMap((parts) => {
    const [first, last] = [parts[0], parts.at(-1)];
    return first && last ? [{ ...first, endsAt: last.endsAt }] : [];
  });
}
