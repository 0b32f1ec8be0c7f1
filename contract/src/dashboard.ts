import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { instant } from './lists.ts';
import { amount, currency } from './money.ts';

/**
 * One day's figures of one kind of order. `amount` and `count` cover orders completed that day. `successRate`
 * is the share (0–1) that succeeded among orders created that day with a final result; null if there are
 * none.
 */
const dayFigures = z.object({ amount, count: z.number().int(), successRate: z.number().nullable() });

const day = z.object({
  /** Calendar day in the merchant's zone, YYYY-MM-DD. */
  date: z.iso.date(),
  collection: dayFigures,
  payout: dayFigures,
});

/** One hour of the chart: what was collected and paid out, from `startsAt` on. */
const hour = z.object({
  startsAt: instant,
  collected: amount,
  collectedCount: z.number().int(),
  paidOut: amount,
});

export const dashboard = z.object({
  currency,
  zone: z.string(),
  asOf: instant,
  today: day,
  yesterday: day,
  /** Hours since yesterday's midnight in the merchant's zone, including the current one. */
  hours: z.array(hour),
});
export type Dashboard = z.output<typeof dashboard>;

export const dashboardEndpoints = {
  get: endpoint({
    method: 'GET',
    path: '/api/merchant/dashboard',
    summary: 'Returns today’s and yesterday’s figures and the hourly trend.',
    access: 'session',
    perm: 'dashboard.read',
    status: 200,
    reply: z.object({ data: dashboard }),
    errors: [],
  }),
};
