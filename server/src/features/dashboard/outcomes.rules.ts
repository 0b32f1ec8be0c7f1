import {
  type ChannelOutcomes,
  type CollectionFailure,
  type DashboardOutcomes,
  maxSplitRefusals,
  type PayoutFailure,
} from '@hengfu/contract/dashboard';
import { type OrderKind, type OutcomeSum, unitOf } from './dashboard.rules.ts';
import type { Period, Slot } from './slots.rules.ts';

/** How many collections created in a span ended in a status. */
export interface EndedSum {
  status: string;
  orders: number;
}

/** The channel's refusals of orders created in a span. */
export interface RefusalSum {
  kind: OrderKind;
  code: string | null;
  orders: number;
}

interface OutcomeRows {
  units: readonly Slot[];
  /** Their places count the units. */
  outcomes: readonly OutcomeSum[];
  ended: readonly EndedSum[];
  refusals: readonly RefusalSum[];
}

/** Statuses of collections that failed without a channel's refusal, and the reason that each one is. */
const reasonOfStatus: Readonly<Record<string, CollectionFailure>> = {
  closed: 'expired',
  cancelled: 'cancelled',
};

/** Final statuses that the orders' sums tell apart: the reason follows from them. */
export const endedStatuses: readonly string[] = Object.keys(reasonOfStatus);

/** Builds the success rates by channel, and the reasons of failures. */
export function outcomesOf(zone: string, period: Period, rows: OutcomeRows): DashboardOutcomes {
  const { first: from, last: to } = period;
  const ended = rows.ended.flatMap(({ status, orders }) => {
    const reason = reasonOfStatus[status];
    return reason ? [{ reason, count: orders }] : [];
  });
  return {
    zone,
    from,
    to,
    unit: unitOf(period),
    collection: kindOutcomes('collection', rows, ended, (code): CollectionFailure => {
      return (code ?? 'other') as CollectionFailure;
    }),
    // Only our staff rejects a payout without a channel's reason.
    payout: kindOutcomes('payout', rows, [], (code): PayoutFailure => (code ?? 'staff') as PayoutFailure),
  };
}

function kindOutcomes<R extends string>(
  kind: OrderKind,
  { units, outcomes, refusals }: Omit<OutcomeRows, 'ended'>,
  ended: readonly { reason: R; count: number }[],
  reasonOf: (code: string | null) => R,
) {
  const refused = refusals
    .filter((refusal) => refusal.kind === kind)
    .map(({ code, orders }) => ({ reason: reasonOf(code), count: orders }));
  const channels = channelsOf(
    units,
    outcomes.filter((outcome) => outcome.kind === kind),
  );
  const lostCount = sum(channels.map(({ lost }) => lost));
  const splitCount = sum([...refused, ...ended].map(({ count }) => count));
  const isCut = sum(refused.map(({ count }) => count)) >= maxSplitRefusals;
  return {
    channels,
    lost: lostCount,
    reasons: [...refused, ...ended].toSorted((a, b) => b.count - a.count),
    unsplit: isCut ? Math.max(0, lostCount - splitCount) : 0,
  };
}

/** Groups outcomes by channel, the busiest one first, each in order of time. */
function channelsOf(units: readonly Slot[], outcomes: readonly OutcomeSum[]): ChannelOutcomes[] {
  const channels = [...Map.groupBy(outcomes, ({ channel }) => channel)].map(([channel, ofChannel]) => ({
    channel: channel === '' ? null : channel,
    succeeded: sum(ofChannel.map(({ succeeded }) => succeeded)),
    lost: sum(ofChannel.map(({ lost }) => lost)),
    slots: ofChannel
      .toSorted((a, b) => a.place - b.place)
      .flatMap(({ place, succeeded, lost }) => {
        const unit = units[place - 1];
        return unit ? [{ startsAt: unit.startsAt.toISOString(), succeeded, lost }] : [];
      }),
  }));
  return channels.toSorted((a, b) => b.succeeded + b.lost - (a.succeeded + a.lost));
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
