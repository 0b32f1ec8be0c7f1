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

const hourMs = 3_600_000;

/** Returns the slots of a period and of the one before it, from the midnights that begin and end their days, earliest first. */
export function slotsOf(period: Period, midnights: readonly Date[]): Slot[] {
  return midnights.slice(1).flatMap((ends, day) => {
    const starts = midnights[day] ?? ends;
    const isBefore = day < period.days;
    const units = period.days === 1 ? hoursOf(starts, ends) : [{ starts, ends }];
    return units
      .filter((unit) => isBefore || unit.starts <= period.now)
      .flatMap((unit) => partsOf(unit, isBefore, isBefore ? period.cutBefore : period.cut));
  });
}

interface Unit {
  starts: Date;
  ends: Date;
}

/** A day's hours, counted from its midnight; where clocks change, the last one may be shorter. */
function hoursOf(midnight: Date, ends: Date): Unit[] {
  const count = Math.ceil((ends.getTime() - midnight.getTime()) / hourMs);
  const edge = (hour: number) => new Date(Math.min(midnight.getTime() + hour * hourMs, ends.getTime()));
  return Array.from({ length: count }, (_, hour) => ({ starts: edge(hour), ends: edge(hour + 1) }));
}

/** Splits an hour or a day where the comparison ends, if it ends within it. */
function partsOf({ starts, ends }: Unit, isBefore: boolean, cut: Date): Slot[] {
  const slot = (startsAt: Date, endsAt: Date): Slot => {
    return { isBefore, isCompared: startsAt < cut, unit: starts, startsAt, endsAt };
  };
  return starts < cut && cut < ends ? [slot(starts, cut), slot(cut, ends)] : [slot(starts, ends)];
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
