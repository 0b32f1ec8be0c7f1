import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { amount, amountInput, currency } from './money.ts';
import { askedFields, payerAnswers } from './payer-fields.ts';
import { maxLinkQuantity } from './payment-links.ts';
import { phrase } from './phrase.ts';

/** States of a payment link as its payers see it. `busy`: all its uses are held by orders that are to be paid. */
export const payLinkStates = ['open', 'closed', 'usedUp', 'busy'] as const;

/** A payment link as its payers see it. */
export const payLink = z.object({
  /** The merchant as its checkout pages show it: name, six hex digits of its color, the path of its logo, and its registered name. */
  merchant: z.string(),
  color: z.string().nullable(),
  logo: z.string().nullable(),
  /** Null if the name is the registered one. */
  registeredName: z.string().nullable(),
  title: z.string(),
  description: z.string().nullable(),
  hasPicture: z.boolean(),
  state: z.enum(payLinkStates),
  currency,
  /** The price of one; null if the payer chooses an amount between `least` and `most`. */
  amount: amount.nullable(),
  least: amount.nullable(),
  most: amount.nullable(),
  maxQuantity: z.number().int(),
  asked: askedFields,
  /** Differs for another offer, another price, and other questions. */
  version: z.string(),
});
export type PayLink = z.output<typeof payLink>;

/**
 * Outcomes of a payer's order. `payable`: it can still be paid; `ended`: it can not. `returning`: it was paid after the uses of the link had
 * run out, and its money goes back; `returned`: it has gone back; `notReturned`: it did not, and nobody returns it by itself any more.
 */
export const payOutcomes = ['payable', 'paid', 'ended', 'returning', 'returned', 'notReturned'] as const;
export type PayOutcome = (typeof payOutcomes)[number];

/** The page where a payer fills in a payment link, and where one who has paid returns to. */
export const payLinkPage = { path: '/pay/link/:token', secretParams: ['token'] } as const;

/**
 * Body of a payer's order. `attempt` is random and stands for these contents: an order that is sent twice is made once, and other contents
 * need another one. `amount` is for links whose payers choose it.
 */
export const payLinkOrder = z.strictObject({
  attempt: z.string().regex(/^[\w-]{16,64}$/),
  amount: amountInput.optional(),
  quantity: z
    .number(phrase('validation.quantity'))
    .int(phrase('validation.quantity'))
    .min(1, phrase('validation.quantity'))
    .max(maxLinkQuantity, phrase('validation.quantity'))
    .default(1),
  ...payerAnswers,
});
export type PayLinkOrder = z.output<typeof payLinkOrder>;

const byToken = z.object({ token: z.string().regex(/^[\w-]{22,64}$/) });
const ofOrder = byToken.extend({ order: z.string().regex(/^[\w-]{22,64}$/) });

export const payLinkEndpoints = {
  get: endpoint({
    method: 'GET',
    path: '/api/pay-links/:token',
    summary: 'Returns a payment link for its payer.',
    access: 'public',
    params: byToken,
    secretParams: ['token'],
    status: 200,
    reply: payLink,
    errors: ['not_found', 'too_many_requests'],
  }),
  picture: endpoint({
    method: 'GET',
    path: '/api/pay-links/:token/picture',
    summary: 'Returns the picture of a payment link.',
    access: 'public',
    params: byToken,
    secretParams: ['token'],
    isFile: true,
    status: 200,
    errors: ['not_found', 'too_many_requests'],
  }),
  order: endpoint({
    method: 'POST',
    path: '/api/pay-links/:token/orders',
    summary:
      'Makes an order with a payment link, and returns its checkout page. The order holds one of the link’s uses.',
    access: 'public',
    crossSite: true,
    params: byToken,
    secretParams: ['token'],
    /**
     * `version` of the link as the payer saw it: one that has changed is refused, so that nobody pays another price, or answers another question. Not
     * in the body, where a process of the version before would refuse it.
     */
    query: z.strictObject({ version: z.string().max(64).optional() }),
    body: payLinkOrder,
    status: 201,
    reply: z.object({ cashierUrl: z.string() }),
    errors: [
      'not_found',
      'conflict',
      'link_closed',
      'link_used_up',
      'link_busy',
      'idempotency_key_reused',
      'too_many_attempts',
      'too_many_requests',
    ],
  }),
  after: endpoint({
    method: 'GET',
    path: '/api/pay-links/:token/orders/:order',
    summary:
      'Returns what became of a payer’s order, and, once it is paid, the merchant’s note; `order` is the token of the checkout page.',
    access: 'public',
    params: ofOrder,
    secretParams: ['token', 'order'],
    status: 200,
    reply: z.object({
      merchant: payLink.shape.merchant,
      color: payLink.shape.color,
      logo: payLink.shape.logo,
      registeredName: payLink.shape.registeredName,
      isPaid: z.boolean(),
      outcome: z.enum(payOutcomes),
      /** Null until it is paid, and if there is none. */
      note: z.string().nullable(),
      returnUrl: z.string().nullable(),
    }),
    errors: ['not_found', 'too_many_requests'],
  }),
};
