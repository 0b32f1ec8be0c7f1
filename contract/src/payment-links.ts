import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { imageTypes, maxImageText } from './images.ts';
import { instant, listQuery, listReply, oneOrMore, textFilter } from './lists.ts';
import { amount, amountInput, currency } from './money.ts';
import { askedFields } from './payer-fields.ts';
import { phrase } from './phrase.ts';
import { visibleText } from './visible-text.ts';
import { webUrl } from './web-url.ts';

/** States of a payment link. Only one that is on takes payments. */
export const linkStates = ['on', 'off', 'usedUp', 'expired'] as const;
export type LinkState = (typeof linkStates)[number];

export const maxLinkQuantity = 99;
const maxUses = 1_000_000;

export const paymentLinkRow = z.object({
  link_no: z.string(),
  title: z.string(),
  state: z.enum(linkStates),
  /** The page that payers open. */
  url: z.string(),
  currency,
  /** The price of one; null if the payer chooses an amount between `least` and `most`. */
  amount: amount.nullable(),
  least: amount.nullable(),
  most: amount.nullable(),
  /** The most that one payment can be for. */
  maxQuantity: z.number().int(),
  /** The number of payments that it takes; null for any number. */
  maxUses: z.number().int().nullable(),
  /** Its orders that are to be paid. */
  liveOrders: z.number().int(),
  /** Its orders that were paid, and their sum, whether or not they were refunded later. */
  paidOrders: z.number().int(),
  paid: amount,
  expiresAt: instant.nullable(),
  createdAt: instant,
});
export type PaymentLinkRow = z.output<typeof paymentLinkRow>;

export const paymentLinkDetail = paymentLinkRow.extend({
  description: z.string().nullable(),
  hasPicture: z.boolean(),
  asked: askedFields,
  /** Shown to those who have paid. */
  note: z.string().nullable(),
  returnUrl: z.string().nullable(),
  /** Differs for other settings, and for another picture. */
  version: z.string(),
});
export type PaymentLinkDetail = z.output<typeof paymentLinkDetail>;

export const paymentLinkQuery = listQuery({
  /** Finds links whose title contains the text, in any case. */
  title: textFilter,
  state: oneOrMore(linkStates),
});
export type PaymentLinkQuery = z.output<typeof paymentLinkQuery>;

/** An amount, or nothing. */
const optionalAmount = z.literal('').or(amountInput).default('');

/**
 * Body of a payment link. Either `amount` is set, or `least` and `most`. `picture`: PNG or JPEG of at most 2 MiB in Base64; an empty
 * text removes it, and without the field it stays as it is.
 */
export const paymentLinkInput = z
  .strictObject({
    title: visibleText('validation.required', 80),
    description: z.string().trim().max(1000, phrase('validation.tooLong')).default(''),
    picture: z.string().max(maxImageText, phrase('validation.pictureRequired')).optional(),
    amount: optionalAmount,
    least: optionalAmount,
    most: optionalAmount,
    maxQuantity: z
      .number(phrase('validation.quantity'))
      .int(phrase('validation.quantity'))
      .min(1, phrase('validation.quantity'))
      .max(maxLinkQuantity, phrase('validation.quantity'))
      .default(1),
    maxUses: z
      .number(phrase('validation.uses'))
      .int(phrase('validation.uses'))
      .min(1, phrase('validation.uses'))
      .max(maxUses, phrase('validation.uses'))
      .nullable()
      .default(null),
    expiresAt: instant.nullable().default(null),
    asked: askedFields.default({ known: [], own: [] }),
    note: z.string().trim().max(500, phrase('validation.tooLong')).default(''),
    returnUrl: z.literal('').or(webUrl).default(''),
  })
  .superRefine(({ amount: price, least, most, maxQuantity }, context) => {
    const missing = price !== '' ? [] : [least === '' && 'least', most === '' && 'most'];
    for (const field of missing.filter((name) => name !== false))
      context.addIssue({ code: 'custom', path: [field], message: phrase('validation.amount') });
    if (price !== '' && (least !== '' || most !== ''))
      context.addIssue({ code: 'custom', path: ['amount'], message: phrase('validation.linkAmount') });
    if (price === '' && maxQuantity > 1)
      context.addIssue({ code: 'custom', path: ['maxQuantity'], message: phrase('validation.quantity') });
  });
export type PaymentLinkInput = z.output<typeof paymentLinkInput>;

const oneLink = z.object({ link_no: z.string().max(64) });
const envelopeBytes = 16 * 1024;
const withPicture = {
  bodyLimitBytes: maxImageText + envelopeBytes,
  textLimitLength: maxImageText + envelopeBytes,
  body: paymentLinkInput,
} as const;

export const paymentLinkEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/merchant/payment-links',
    summary: 'Lists payment links with the sums of what was paid, newest first.',
    access: 'session',
    perm: 'collections.read',
    query: paymentLinkQuery,
    status: 200,
    reply: listReply(paymentLinkRow),
    errors: [],
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/merchant/payment-links/:link_no',
    summary: 'Returns a payment link.',
    access: 'session',
    perm: 'collections.read',
    params: oneLink,
    status: 200,
    reply: z.object({ data: paymentLinkDetail }),
    errors: ['not_found'],
  }),
  picture: endpoint({
    method: 'GET',
    path: '/api/merchant/payment-links/:link_no/picture',
    summary: 'Returns the picture of a payment link, in Base64.',
    access: 'session',
    perm: 'collections.read',
    params: oneLink,
    status: 200,
    reply: z.object({ data: z.object({ type: z.enum(imageTypes), base64: z.string() }) }),
    errors: ['not_found'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/merchant/payment-links',
    summary: 'Creates a payment link, which is on at once.',
    access: 'session',
    perm: 'collections.create',
    isIdempotent: true,
    ...withPicture,
    status: 201,
    reply: z.object({ data: paymentLinkDetail }),
    errors: [
      'uploads_busy',
      'quota_reached',
      'limit_exceeded',
      'merchant_suspended',
      'idempotency_key_reused',
      'idempotency_in_flight',
    ],
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/merchant/payment-links/:link_no',
    summary: 'Changes a payment link. Orders that payers have made with it stay as they are.',
    access: 'session',
    perm: 'collections.create',
    params: oneLink,
    /** `version` of the link as the person saw it: the call is refused if a colleague has changed the link since. */
    query: z.strictObject({ version: z.string().max(64).optional() }),
    ...withPicture,
    status: 200,
    reply: z.object({ data: paymentLinkDetail }),
    errors: ['not_found', 'conflict', 'limit_exceeded', 'uploads_busy'],
  }),
  turn: endpoint({
    method: 'PUT',
    path: '/api/merchant/payment-links/:link_no/is-on',
    summary: 'Turns a payment link on or off. Orders that payers have made with it can still be paid.',
    access: 'session',
    perm: 'collections.create',
    params: oneLink,
    body: z.strictObject({ isOn: z.boolean() }),
    status: 200,
    reply: z.object({ data: paymentLinkDetail }),
    errors: ['not_found'],
  }),
};
