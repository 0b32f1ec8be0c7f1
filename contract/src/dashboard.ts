import * as z from 'zod';
import { collectionRefusals, payoutRefusals } from './channels.ts';
import { endpoint } from './endpoint.ts';
import { countDays, maxListedDays } from './listed-days.ts';
import { instant } from './lists.ts';
import { amount, currency } from './money.ts';
import type { Perm } from './permissions.ts';
import { phrase } from './phrase.ts';

/** The periods that a dashboard can cover: those that end now, and a range of days. */
export const dashboardPeriods = ['today', 'days7', 'days30', 'range'] as const;

/** Maximum days of a range. */
export const maxDashboardDays = maxListedDays;

/** No order is older. */
const firstDay = '2000-01-01';
const day = z.iso
  .date(phrase('validation.date'))
  .refine((date) => date >= firstDay, phrase('validation.date'))
  .optional();

/**
 * The period. `range` takes its first and last day in the merchant's zone, both included; the others take no days. Days in
 * the future count as today.
 */
export const dashboardQuery = z
  .strictObject({
    period: z.enum(dashboardPeriods, phrase('validation.choice')).default('today'),
    from: day,
    to: day,
  })
  .superRefine(({ period, from, to }, context) => {
    const complain = (path: 'from' | 'to', message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    if (period !== 'range') {
      if (from !== undefined) complain('from', phrase('validation.choice'));
      if (to !== undefined) complain('to', phrase('validation.choice'));
    } else if (from === undefined || to === undefined) {
      complain(from === undefined ? 'from' : 'to', phrase('validation.date'));
    } else {
      const days = countDays({ from, to });
      if (days < 1) complain('to', phrase('validation.daysOrder'));
      if (days > maxDashboardDays) complain('to', phrase('validation.tooManyPeriodDays'));
    }
  });
export type DashboardQuery = z.output<typeof dashboardQuery>;

/**
 * Figures of one kind of order. `amount` and `count` cover orders completed in the period. `successRate` is the share (0–1)
 * that succeeded among orders created in the period with a final result; null if there are none.
 */
const figures = z.object({ amount, count: z.number().int(), successRate: z.number().nullable() });
export type DashboardFigures = z.output<typeof figures>;

const bothKinds = z.object({ collection: figures, payout: figures });

/** A span of time: start inclusive, end exclusive. */
const span = z.object({ from: instant, to: instant });

/** An hour of the chart, or a day if the period has several: what was collected and paid out, from `startsAt` on. */
const slot = z.object({
  startsAt: instant,
  collected: amount,
  collectedCount: z.number().int(),
  paidOut: amount,
});
export type DashboardSlot = z.output<typeof slot>;

export const dashboard = z.object({
  currency,
  zone: z.string(),
  asOf: instant,
  /** First and last calendar day in the merchant's zone, YYYY-MM-DD. */
  from: z.iso.date(),
  to: z.iso.date(),
  /** The whole period, up to now. */
  current: bothKinds,
  /**
   * The period and as many days before it, both up to the same time of day: the end of the last quarter-hour that is
   * complete. Null if no quarter-hour of the period is complete.
   */
  comparison: z
    .object({ currentSpan: span, current: bothKinds, beforeSpan: span, before: bothKinds })
    .nullable(),
  unit: z.enum(['hour', 'day']),
  /** The period's hours or days, without future ones; and those of the period before, all of them. */
  slots: z.array(slot),
  slotsBefore: z.array(slot),
});
export type Dashboard = z.output<typeof dashboard>;

/** Channel refusals that are split by reason: the latest ones of a period. */
export const maxSplitRefusals = 1000;

/** Why orders of a kind failed: refused by the channel for a reason, or ended otherwise. */
export const collectionFailures = ['expired', 'cancelled', ...collectionRefusals] as const;
export const payoutFailures = [...payoutRefusals, 'staff'] as const;
export type CollectionFailure = (typeof collectionFailures)[number];
export type PayoutFailure = (typeof payoutFailures)[number];

/** Outcomes of the orders created in an hour or a day. */
const outcomeSlot = z.object({
  startsAt: instant,
  succeeded: z.number().int(),
  lost: z.number().int(),
});

/** The outcomes of a channel by hour or day. */
const channelOutcomes = z.object({
  /** Null: orders whose payer never chose a channel. */
  channel: z.string().nullable(),
  succeeded: z.number().int(),
  lost: z.number().int(),
  slots: z.array(outcomeSlot),
});
export type ChannelOutcomes = z.output<typeof channelOutcomes>;

function outcomesOf<const F extends readonly [string, ...string[]]>(failures: F) {
  return z.object({
    channels: z.array(channelOutcomes),
    /** Orders that failed, whatever the reason. */
    lost: z.number().int(),
    /** The reasons, most frequent first. */
    reasons: z.array(z.object({ reason: z.enum(failures), count: z.number().int() })),
    /** The refusals by the channel that `reasons` leaves out, because there were more than {@link maxSplitRefusals}. */
    unsplit: z.number().int(),
  });
}

export const dashboardOutcomes = z.object({
  zone: z.string(),
  from: z.iso.date(),
  to: z.iso.date(),
  unit: z.enum(['hour', 'day']),
  collection: outcomesOf(collectionFailures),
  payout: outcomesOf(payoutFailures),
});
export type DashboardOutcomes = z.output<typeof dashboardOutcomes>;

/** The kinds of things that can wait for a merchant, and the permission that shows each. */
export const waitingKinds = {
  batchRows: 'payouts.create',
  callbacks: 'collections.read',
  rejectedPayouts: 'payouts.read',
  failedExports: 'exports.read',
} as const satisfies Record<string, Perm>;
export type WaitingKind = keyof typeof waitingKinds;
const waitingNames = Object.keys(waitingKinds) as [WaitingKind, ...WaitingKind[]];

/** Days back in which something counts as waiting; callbacks are retried for as long. */
export const waitingDays = 3;
/** Each kind is counted up to here. */
export const maxWaiting = 1000;

/** The steps that set up a merchant. */
export const firstSteps = ['twoFactor', 'paymentPassword', 'accessKey', 'whitelist', 'order'] as const;
export type FirstStep = (typeof firstSteps)[number];
/** Those that can be done in test mode: passwords and second factors belong to a person, and are set in live mode. */
export const firstTestSteps = ['accessKey', 'whitelist', 'order'] as const satisfies readonly FirstStep[];

export const dashboardAgenda = z.object({
  currency,
  /** Only what there is any of. */
  waiting: z.array(
    z.object({
      kind: z.enum(waitingNames),
      count: z.number().int().max(maxWaiting),
      /** The span in which they were created, as the list filters it. */
      from: instant,
      to: instant,
      /** The number of the batch, if it is only one. */
      subject: z.string().nullable(),
    }),
  ),
  /** When the next settlement is due, and what it would move if nothing else were paid until then. */
  nextSettlement: z.object({ at: instant, amount }),
  /** The steps and whether each is done; null if all are, if the user has dismissed them, or may not set up anything. */
  firstSteps: z.array(z.object({ step: z.enum(firstSteps), isDone: z.boolean() })).nullable(),
});
export type DashboardAgenda = z.output<typeof dashboardAgenda>;

export const dashboardEndpoints = {
  get: endpoint({
    method: 'GET',
    path: '/api/merchant/dashboard',
    summary: 'Returns the figures of a period beside those of the period before, and their trend.',
    access: 'session',
    perm: 'dashboard.read',
    query: dashboardQuery,
    status: 200,
    reply: z.object({ data: dashboard }),
    errors: [],
  }),
  outcomes: endpoint({
    method: 'GET',
    path: '/api/merchant/dashboard/outcomes',
    summary: 'Returns success rates by channel over a period, and why orders failed.',
    access: 'session',
    perm: 'dashboard.read',
    query: dashboardQuery,
    status: 200,
    reply: z.object({ data: dashboardOutcomes }),
    errors: [],
  }),
  agenda: endpoint({
    method: 'GET',
    path: '/api/merchant/dashboard/agenda',
    summary: 'Returns what waits for the caller, the next settlement, and the first steps that are left.',
    access: 'session',
    perm: 'dashboard.read',
    status: 200,
    reply: z.object({ data: dashboardAgenda }),
    errors: [],
  }),
  dismissFirstSteps: endpoint({
    method: 'DELETE',
    path: '/api/merchant/dashboard/first-steps',
    summary: 'Hides the first steps from the caller for good.',
    access: 'session',
    perm: 'dashboard.read',
    status: 204,
    errors: [],
  }),
};
