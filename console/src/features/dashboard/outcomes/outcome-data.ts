import type { ChannelOutcomes, DashboardOutcomes } from '@hengfu/contract/dashboard';
import { addDays, startOfDay } from '@hengfu/ui/language/zone.ts';

const hourMs = 3_600_000;

type Span = Pick<DashboardOutcomes, 'from' | 'to' | 'unit' | 'zone'>;

/** A row of outcomes of one channel; the rate is null without orders that have a final result. */
export interface OutcomeRow {
  startsAt: string;
  succeeded: number;
  lost: number;
  rate: number | null;
}

/** The share (0–1) that succeeded; null if there are none. */
export function rateOf({ succeeded, lost }: { succeeded: number; lost: number }): number | null {
  return succeeded + lost === 0 ? null : succeeded / (succeeded + lost);
}

/** Returns the starts of the period's hours or days up to the last one that has outcomes, earliest first. */
export function timesOf({ from, to, unit, zone }: Span, channels: readonly ChannelOutcomes[]): string[] {
  const lastMs = Math.max(
    ...channels.flatMap(({ slots }) => slots.map(({ startsAt }) => Date.parse(startsAt))),
  );
  const times: number[] = [];
  const endMs = startOfDay(addDays(to, 1), zone);
  for (let day = from, atMs = startOfDay(from, zone); atMs < endMs && atMs <= lastMs; ) {
    times.push(atMs);
    day = addDays(day, 1);
    atMs = unit === 'hour' ? atMs + hourMs : startOfDay(day, zone);
  }
  return times.map((ms) => new Date(ms).toISOString());
}

/** Returns a channel's outcomes at each of the given times. */
export function rowsAt({ slots }: ChannelOutcomes, times: readonly string[]): OutcomeRow[] {
  const found = new Map(slots.map((slot) => [slot.startsAt, slot]));
  return times.map((startsAt) => {
    const { succeeded = 0, lost = 0 } = found.get(startsAt) ?? {};
    return { startsAt, succeeded, lost, rate: rateOf({ succeeded, lost }) };
  });
}
