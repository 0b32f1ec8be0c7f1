import type { Dashboard, DashboardFigures, DashboardSlot } from '@hengfu/contract/dashboard';
import { type Currency, formatAmount } from '@hengfu/contract/money';
import type { Period, Slot } from './slots.rules.ts';

export type OrderKind = 'collection' | 'payout';

/** The orders completed in a span of time; `place` is the span's number, from 1. */
export interface DoneSum {
  place: number;
  kind: OrderKind;
  done: number;
  doneAmountMinor: bigint;
}

/** Outcomes of the orders created in a span of time, by channel; empty if they have none. */
export interface OutcomeSum {
  place: number;
  kind: OrderKind;
  channel: string;
  succeeded: number;
  lost: number;
}

/** The sums of a dashboard, each with the slots that its places count. */
export interface DashboardSums {
  slots: readonly Slot[];
  done: readonly DoneSum[];
  sides: readonly Slot[];
  outcomes: readonly OutcomeSum[];
}

/** A part of the figures: the period or the one before it, all of it or what is compared. */
interface Part {
  kind: OrderKind;
  isBefore: boolean;
  isComparedOnly: boolean;
}

/** Builds a merchant's dashboard from the sums of its slots. */
export function dashboardOf(
  { currency, zone }: { currency: Currency; zone: string },
  period: Period,
  sums: DashboardSums,
): Dashboard {
  const figuresIn = (part: Omit<Part, 'kind'>) => ({
    collection: figuresOf({ ...part, kind: 'collection' }, sums, currency),
    payout: figuresOf({ ...part, kind: 'payout' }, sums, currency),
  });
  const span = (from: Date, to: Date) => ({ from: from.toISOString(), to: to.toISOString() });
  return {
    currency,
    zone,
    asOf: period.now.toISOString(),
    from: period.first,
    to: period.last,
    current: figuresIn({ isBefore: false, isComparedOnly: false }),
    comparison:
      period.cut > period.startsAt
        ? {
            currentSpan: span(period.startsAt, period.cut),
            current: figuresIn({ isBefore: false, isComparedOnly: true }),
            beforeSpan: span(period.startsBefore, period.cutBefore),
            before: figuresIn({ isBefore: true, isComparedOnly: true }),
          }
        : null,
    unit: unitOf(period),
    slots: chartSlots(sums, false, currency),
    slotsBefore: chartSlots(sums, true, currency),
  };
}

/** One day is shown by the hour, several by the day. */
export function unitOf({ days }: Pick<Period, 'days'>): Dashboard['unit'] {
  return days === 1 ? 'hour' : 'day';
}

/** Sums up one part of the figures. */
function figuresOf(
  { kind, isBefore, isComparedOnly }: Part,
  { slots, done, sides, outcomes }: DashboardSums,
  currency: Currency,
): DashboardFigures {
  const isIncludedOf = (spans: readonly Slot[]) => (sum: { place: number; kind: OrderKind }) => {
    const slot = spans[sum.place - 1];
    return slot && sum.kind === kind && slot.isBefore === isBefore && (slot.isCompared || !isComparedOnly);
  };
  const completed = done.filter(isIncludedOf(slots));
  const decided = outcomes.filter(isIncludedOf(sides));
  const succeeded = total(decided, (sum) => sum.succeeded);
  const all = succeeded + total(decided, (sum) => sum.lost);
  return {
    amount: formatAmount(sumDone(completed), currency),
    count: total(completed, (sum) => sum.done),
    successRate: all === 0 ? null : succeeded / all,
  };
}

/** Returns the chart's hours or days, earliest first; those without orders are zero. */
function chartSlots({ slots, done }: DashboardSums, isBefore: boolean, currency: Currency): DashboardSlot[] {
  const byUnit = Map.groupBy(done, ({ place }) => slots[place - 1]?.unit.getTime());
  const units = new Set(slots.filter((slot) => slot.isBefore === isBefore).map(({ unit }) => unit.getTime()));
  return [...units].map((unitMs) => {
    const sums = byUnit.get(unitMs) ?? [];
    const collected = sums.filter(({ kind }) => kind === 'collection');
    const paidOut = sums.filter(({ kind }) => kind === 'payout');
    return {
      startsAt: new Date(unitMs).toISOString(),
      collected: formatAmount(sumDone(collected), currency),
      collectedCount: total(collected, (sum) => sum.done),
      paidOut: formatAmount(sumDone(paidOut), currency),
    };
  });
}

function total<T>(rows: readonly T[], pick: (row: T) => number): number {
  return rows.reduce((sum, row) => sum + pick(row), 0);
}

function sumDone(sums: readonly DoneSum[]): bigint {
  return sums.reduce((all, sum) => all + sum.doneAmountMinor, 0n);
}
