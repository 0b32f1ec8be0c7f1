import * as z from 'zod';
import { openCollection } from './collections.open.ts';
import { endpoint } from './endpoint.ts';
import { amountInput } from './money.ts';
import { outTradeNo } from './out-trade-no.ts';
import { phrase } from './phrase.ts';

/** How long a payer has for an order that a person creates, in seconds. */
export const payTimes = { m15: 900, m30: 1800, h1: 3600, h4: 14_400, d1: 86_400 } as const;
export type PayTime = keyof typeof payTimes;
export const payTimeNames = Object.keys(payTimes) as [PayTime, ...PayTime[]];

/** Body of an order that a person creates, in the merchant's currency. Without an order number, it gets one. */
export const createByHand = z.strictObject({
  amount: amountInput,
  subject: z.string().trim().max(128, phrase('validation.tooLong')).optional(),
  out_trade_no: z.literal('').or(outTradeNo).optional(),
  payTime: z.enum(payTimeNames, phrase('validation.choice')).default('m30'),
});
export type CreateByHand = z.output<typeof createByHand>;

/** An order that a person has created. */
export const madeByHand = openCollection.pick({
  trade_no: true,
  out_trade_no: true,
  amount: true,
  currency: true,
  subject: true,
  cashierUrl: true,
  expiresAt: true,
});
export type MadeByHand = z.output<typeof madeByHand>;

const oneOrder = z.object({ trade_no: z.string().max(64) });

/** Orders that a person creates, and a person's actions on any order. */
export const collectionByHandEndpoints = {
  create: endpoint({
    method: 'POST',
    path: '/api/merchant/collections',
    summary: 'Creates a collection, and returns the link to its checkout page.',
    access: 'session',
    perm: 'collections.create',
    isIdempotent: true,
    body: createByHand,
    status: 201,
    reply: z.object({ data: madeByHand }),
    errors: [
      'out_trade_no_used',
      'limit_exceeded',
      'merchant_suspended',
      'idempotency_key_reused',
      'idempotency_in_flight',
      'too_many_attempts',
    ],
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/api/merchant/collections/:trade_no/cancel',
    summary: 'Cancels an unpaid collection.',
    access: 'session',
    perm: 'collections.create',
    params: oneOrder,
    status: 204,
    errors: ['not_found', 'invalid_transition', 'channel_unavailable', 'too_many_attempts'],
  }),
  ask: endpoint({
    method: 'POST',
    path: '/api/merchant/collections/:trade_no/ask',
    summary: 'Asks the channel at once whether a collection was paid.',
    access: 'session',
    perm: 'collections.create',
    params: oneOrder,
    status: 204,
    errors: ['not_found', 'invalid_transition', 'too_many_attempts'],
  }),
  sendAgain: endpoint({
    method: 'POST',
    path: '/api/merchant/collections/:trade_no/callbacks/:id/send-again',
    summary: 'Sends a callback of a collection again at once, whether or not it was delivered.',
    access: 'session',
    perm: 'collections.create',
    params: oneOrder.extend({ id: z.uuid() }),
    status: 204,
    errors: ['not_found', 'too_many_attempts'],
  }),
};
