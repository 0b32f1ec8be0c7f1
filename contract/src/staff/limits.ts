import * as z from 'zod';
import { instant } from '../lists.ts';
import { amount } from '../money.ts';

/** The limits of a merchant: of each payout, of a day's payouts, of a day's withdrawals, and of each collection. */
export const limitNames = ['payout', 'payoutsOfDay', 'withdrawalsOfDay', 'collection'] as const;
export type LimitName = (typeof limitNames)[number];

/** The days on which a merchant settles: every day, Monday to Friday, or one day of the week. */
export const settlementCycles = ['daily', 'workdays', 'weekly'] as const;
export type SettlementCycle = (typeof settlementCycles)[number];

/** The days of the week, from Monday. */
export const weekdays = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;
export type Weekday = (typeof weekdays)[number];

/** Limits in the merchant's currency; null for none. */
export const merchantLimits = z.object({
  payout: amount.nullable(),
  payoutsOfDay: amount.nullable(),
  withdrawalsOfDay: amount.nullable(),
  collection: amount.nullable(),
});
export type MerchantLimits = z.output<typeof merchantLimits>;

/** When a merchant settles. `weekday`: of a weekly cycle; `cutOff`: HH:MM in the merchant's zone. */
export const settlementTerms = z.object({
  cycle: z.enum(settlementCycles),
  weekday: z.enum(weekdays).nullable(),
  cutOff: z.string(),
});

/** The cycle that was agreed last, the next cut-off, and all versions, the newest first. Each one plans the cut-offs after `validFrom`. */
export const merchantSettlement = settlementTerms.extend({
  zone: z.string(),
  nextAt: instant,
  versions: z.array(settlementTerms.extend({ validFrom: instant, isInForce: z.boolean() })),
});
