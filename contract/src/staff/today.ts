import * as z from 'zod';
import { channelCodes } from '../channels.ts';
import { endpoint } from '../endpoint.ts';
import { instant } from '../lists.ts';
import { amount, currency } from '../money.ts';
import { channelKinds } from '../status.ts';

/** The kinds of things that wait for our staff, with the minutes within which each should be done. */
export const waitingTargets = {
  topupReview: 30,
  topupCredit: 30,
  withdrawalReview: 60,
  withdrawalPayment: 120,
  payoutUnknown: 15,
  payoutContradicted: 15,
  incident: 15,
  staffRequest: 240,
  unmatched: 1440,
} as const;
export type WaitingKind = keyof typeof waitingTargets;
const waitingKinds = Object.keys(waitingTargets) as [WaitingKind, ...WaitingKind[]];

/** One thing that waits. */
const waitingItem = z.object({
  kind: z.enum(waitingKinds),
  /** Number of the order; of an incident, its title or component; of unmatched lines, the channel and the oldest day. */
  number: z.string(),
  /** Code of the merchant; null for an incident. */
  merchant: z.string().nullable(),
  amount: amount.nullable(),
  currency: currency.nullable(),
  since: instant,
});
export type WaitingItem = z.output<typeof waitingItem>;

const waiting = z.object({
  /** The oldest ones, oldest first. */
  items: z.array(waitingItem),
  /** How many wait, by kind. */
  counts: z.record(z.enum(waitingKinds), z.number().int()),
  at: instant,
});

/** The kinds of the ledger's accounts. In one currency, all their balances together are zero. */
export const placeKinds = [
  'available',
  'locked',
  'unsettled',
  'fees',
  'clearing',
  'crypto',
  'adjustments',
] as const;

/** The money of all live merchants at one place: now, and what came and went since the day began. */
const moneyPlace = z.object({
  kind: z.enum(placeKinds),
  /** The channel of clearing, the network of crypto; otherwise empty. */
  reference: z.string(),
  balance: amount,
  in: amount,
  out: amount,
});
export type MoneyPlace = z.output<typeof moneyPlace>;

/** For so many hours, the success of channels is shown by the hour. */
export const channelHours = 12;

/** The orders of all live merchants that one channel decided within one hour. */
const channelHour = z.object({
  hour: instant,
  channel: z.enum(channelCodes),
  kind: z.enum(channelKinds),
  paid: z.number().int(),
  refused: z.number().int(),
});
export type ChannelHour = z.output<typeof channelHour>;

const currencyFigures = z.object({ currency, places: z.array(moneyPlace) });
export type CurrencyFigures = z.output<typeof currencyFigures>;

export const todayEndpoints = {
  waiting: endpoint({
    method: 'GET',
    path: '/api/staff/waiting',
    summary: 'Lists what waits for a decision or an action, oldest first, with counts.',
    access: 'staff',
    staffPerm: 'today.read',
    status: 200,
    reply: z.object({ data: waiting }),
    errors: [],
  }),
  channels: endpoint({
    method: 'GET',
    path: '/api/staff/channel-hours',
    summary:
      'Returns the orders that channels decided within the last twelve hours, by channel, kind and hour.',
    access: 'staff',
    staffPerm: 'figures.read',
    status: 200,
    reply: z.object({ data: z.array(channelHour) }),
    errors: [],
  }),
  figures: endpoint({
    method: 'GET',
    path: '/api/staff/figures',
    summary:
      'Returns the money of all live merchants by currency and place, with what moved since an instant.',
    access: 'staff',
    staffPerm: 'figures.read',
    query: z.object({ since: instant }),
    status: 200,
    reply: z.object({ data: z.array(currencyFigures) }),
    errors: [],
  }),
};
