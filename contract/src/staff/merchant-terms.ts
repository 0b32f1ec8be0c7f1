import * as z from 'zod';
import { channelCodes } from '../channels.ts';
import { endpoint } from '../endpoint.ts';
import { refundFees, refundFunds } from '../fees.ts';
import { instant } from '../lists.ts';
import { amount, amountInput, currency } from '../money.ts';
import { phrase } from '../phrase.ts';
import { askedReply, merchantReason, oneMerchant } from './merchants.ts';

const ppmPerPercent = 10_000;

/** A fee rate in percent with up to four decimals, such as 0.6. */
const rate = z
  .string(phrase('officeMerchants.rateFault'))
  .trim()
  .regex(/^\d{1,2}(\.\d{1,4})?$/, phrase('officeMerchants.rateFault'));

/** Reads a rate in percent as parts per million. */
export function ppmOf(percent: string): number {
  return Math.round(Number.parseFloat(percent) * ppmPerPercent);
}

/** Writes a rate in percent, without zeros at the end: "0.6". */
export function percentOf(ppm: number): string {
  return String(ppm / ppmPerPercent);
}

/** New fees for a channel: rates in percent, fixed parts in the merchant's currency. */
export const channelTermsInput = z.strictObject({
  channel: z.enum(channelCodes, phrase('validation.choice')),
  collectionRate: rate,
  collectionFixed: amountInput,
  payoutRate: rate,
  payoutFixed: amountInput,
  /** Whether the fee of a payment that is given back returns to the merchant; as in the terms in force if absent. */
  refundFee: z.enum(refundFees).optional(),
  /** The funds that pay refunds; likewise. */
  refundFunds: z.enum(refundFunds).optional(),
});
export type ChannelTermsInput = z.output<typeof channelTermsInput>;

/** Orders of one kind that were made yesterday and paid: their fees as they were, and under other terms. */
const feesOfDay = z.object({
  kind: z.enum(['collection', 'payout']),
  count: z.number().int(),
  amount,
  was: amount,
  would: amount,
});

/** When the latest terms took effect that a form has shown, null for none: if there are later ones by now, nothing is asked for. */
const seenFrom = { seenFrom: instant.nullable().optional() };

/** New terms of withdrawals, in USDT. */
export const withdrawalTermsInput = merchantReason.extend({
  fee: amountInput,
  freePerDay: z
    .string(phrase('officeMerchants.countFault'))
    .trim()
    .regex(/^\d{1,4}$/, phrase('officeMerchants.countFault')),
  minimum: amountInput,
  ...seenFrom,
});

/** The fees of a merchant by channel: asked for, with a preview, and set once a second person agrees. */
export const channelTermsEndpoints = {
  preview: endpoint({
    method: 'GET',
    path: '/api/staff/merchants/:code/channel-terms-preview',
    summary: 'Calculates the fees of yesterday’s paid orders under other terms, beside what they were.',
    access: 'staff',
    staffPerm: 'merchants.terms',
    params: oneMerchant,
    query: channelTermsInput,
    status: 200,
    reply: z.object({ data: z.object({ day: z.iso.date(), currency, orders: z.array(feesOfDay) }) }),
    errors: ['not_found'],
  }),
  ask: endpoint({
    method: 'POST',
    path: '/api/staff/merchants/:code/channel-terms',
    summary: 'Asks a second person to set the fees of a merchant for a channel, from then on.',
    access: 'staff',
    staffPerm: 'merchants.terms',
    params: oneMerchant,
    body: channelTermsInput.extend({ ...merchantReason.shape, ...seenFrom }),
    status: 200,
    reply: askedReply,
    errors: ['not_found', 'conflict', 'follows_live', 'request_waiting'],
  }),
};

/** The terms on which a merchant withdraws. */
export const withdrawalTermsEndpoints = {
  ask: endpoint({
    method: 'POST',
    path: '/api/staff/merchants/:code/withdrawal-terms',
    summary: 'Asks a second person to set the terms of a merchant’s withdrawals, from then on.',
    access: 'staff',
    staffPerm: 'merchants.terms',
    params: oneMerchant,
    body: withdrawalTermsInput,
    status: 200,
    reply: askedReply,
    errors: ['not_found', 'conflict', 'follows_live', 'request_waiting'],
  }),
};
