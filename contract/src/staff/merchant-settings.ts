import * as z from 'zod';
import { endpoint } from '../endpoint.ts';
import { amountInput } from '../money.ts';
import { phrase } from '../phrase.ts';
import { merchantLimits, settlementCycles, settlementTerms, weekdays } from './limits.ts';
import { askedReply, cutOffTime, merchantReason, oneMerchant } from './merchants.ts';

/** A limit; the empty text of a form means none. */
const limit = z.union([z.literal(''), amountInput], phrase('validation.amount'));

export const merchantLimitsInput = merchantReason.extend({
  payout: limit,
  payoutsOfDay: limit,
  withdrawalsOfDay: limit,
  collection: limit,
  /** The limits that the form began with: if others apply by now, nothing is asked for. */
  seen: merchantLimits.optional(),
});

/** `weekday` counts for a weekly cycle only. */
export const settlementInput = merchantReason.extend({
  cycle: z.enum(settlementCycles, phrase('validation.choice')),
  weekday: z.enum(weekdays, phrase('validation.choice')),
  cutOff: cutOffTime,
  /** The cycle that the form began with, likewise. */
  seen: settlementTerms.optional(),
});

const asking = {
  method: 'POST',
  access: 'staff',
  staffPerm: 'merchants.terms',
  params: oneMerchant,
} as const;

/** Limits and the settlement cycle of a merchant, set once a second person agrees. */
export const merchantSettingsEndpoints = {
  askLimits: endpoint({
    ...asking,
    path: '/api/staff/merchants/:code/limits',
    summary: 'Asks a second person to agree to the limits of a merchant.',
    body: merchantLimitsInput,
    status: 201,
    reply: askedReply,
    errors: ['not_found', 'conflict', 'follows_live', 'request_waiting'],
  }),
  askSettlement: endpoint({
    ...asking,
    path: '/api/staff/merchants/:code/settlement',
    summary:
      'Asks a second person to agree to the settlement cycle of a merchant. It counts from the cut-off after the next one.',
    body: settlementInput,
    status: 201,
    reply: askedReply,
    errors: ['not_found', 'conflict', 'follows_live', 'request_waiting'],
  }),
};
