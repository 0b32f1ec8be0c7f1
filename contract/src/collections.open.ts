import * as z from 'zod';
import { approvalStates } from './approval-states.ts';
import { collectionRefusals } from './channels.ts';
import { collectionStatuses } from './collections.ts';
import { endpoint } from './endpoint.ts';
import { instant, oneOrMore } from './lists.ts';
import { amount, amountInput, checkAmount, currency } from './money.ts';
import { openListQuery, openListReply } from './open-api.ts';
import { outTradeNo } from './out-trade-no.ts';
import { phrase } from './phrase.ts';
import { webUrl } from './web-url.ts';

/** Body of "create a collection". Seconds for `expiresIn`: 10 to 86,400, 1,800 by default. */
export const createCollection = z
  .strictObject({
    out_trade_no: outTradeNo,
    amount: amountInput,
    currency,
    channel: z.string().max(32).optional(),
    subject: z.string().trim().min(1).max(128, phrase('validation.tooLong')).optional(),
    notifyUrl: webUrl.optional(),
    returnUrl: webUrl.optional(),
    expiresIn: z
      .number()
      .int()
      .min(10, phrase('validation.expiresIn'))
      .max(86_400, phrase('validation.expiresIn'))
      .optional(),
  })
  .superRefine(checkAmount);
export type CreateCollection = z.output<typeof createCollection>;

/** A collection as the merchant's system sees it. */
export const openCollection = z.object({
  trade_no: z.string(),
  out_trade_no: z.string(),
  status: z.enum(collectionStatuses),
  amount,
  fee: amount,
  currency,
  channel: z.string().nullable(),
  subject: z.string().nullable(),
  cashierUrl: z.string(),
  createdAt: instant,
  expiresAt: instant,
  paidAt: instant.nullable(),
  refundedAt: instant.nullable(),
  /** Why the channel refused, if the status is `failed`. */
  failureCode: z.enum(collectionRefusals).nullable(),
  /** The channel's own wording, for logs and support: not for payers. */
  failureReason: z.string().nullable(),
  /** Given back to the payer so far. */
  refunded: amount,
  /** True while a refund is in progress. */
  refundPending: z.boolean(),
  /** Whether the refund waits for approval, and how the last request for one ended; null if no rule of the merchant covers it. */
  refundApprovalState: z.enum(approvalStates).nullable(),
});
export type OpenCollection = z.output<typeof openCollection>;

export const openCollectionQuery = openListQuery({ status: oneOrMore(collectionStatuses) });
export type OpenCollectionQuery = z.output<typeof openCollectionQuery>;

const byTradeNo = z.object({ trade_no: z.string().max(64) });
const byTradeNoExample = { params: { trade_no: 'C261120160000618033989' } };

export const openCollectionEndpoints = {
  create: endpoint({
    method: 'POST',
    path: '/openapi/v1/collections',
    summary: 'Creates a collection. The same out_trade_no with the same body returns the same order.',
    access: 'signed',
    scope: 'collections',
    body: createCollection,
    example: {
      body: { out_trade_no: 'SO-20261120-0001', amount: '100.00', currency: 'CNY', subject: 'Rice 5 kg' },
    },
    status: 201,
    reply: openCollection,
    errors: ['out_trade_no_used', 'channel_closed', 'limit_exceeded'],
  }),
  find: endpoint({
    method: 'GET',
    path: '/openapi/v1/collections',
    summary: 'Finds a collection by merchant order number.',
    access: 'signed',
    scope: 'collections',
    query: z.strictObject({ out_trade_no: outTradeNo }),
    example: { query: { out_trade_no: 'SO-20261120-0001' } },
    status: 200,
    reply: openCollection,
    errors: ['not_found'],
  }),
  list: endpoint({
    method: 'GET',
    path: '/openapi/v1/collections/list',
    summary: 'Lists collections, newest first.',
    access: 'signed',
    scope: 'collections',
    callLimit: 'lists',
    query: openCollectionQuery,
    status: 200,
    reply: openListReply(openCollection),
    errors: [],
  }),
  get: endpoint({
    method: 'GET',
    path: '/openapi/v1/collections/:trade_no',
    summary: 'Returns a collection.',
    access: 'signed',
    scope: 'collections',
    params: byTradeNo,
    example: byTradeNoExample,
    status: 200,
    reply: openCollection,
    errors: ['not_found'],
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/openapi/v1/collections/:trade_no/cancel',
    summary: 'Cancels an unpaid collection.',
    access: 'signed',
    scope: 'collections',
    params: byTradeNo,
    example: byTradeNoExample,
    status: 200,
    reply: openCollection,
    errors: ['not_found', 'invalid_transition', 'channel_unavailable'],
  }),
  refund: endpoint({
    method: 'POST',
    path: '/openapi/v1/collections/:trade_no/refund',
    summary:
      'Refunds all that is left of the amount to the payer. `refundPending` until the channel confirms. Waits first (`refundApprovalState`) if a rule of the merchant asks for approval.',
    access: 'signed',
    scope: 'refunds',
    params: byTradeNo,
    example: byTradeNoExample,
    status: 200,
    reply: openCollection,
    errors: ['not_found', 'invalid_transition', 'refund_exceeds', 'insufficient_funds', 'too_many_requests'],
  }),
};

/** Events that a merchant's system receives, as Standard Webhooks messages with the collection in `data`. */
export const collectionEvents = [
  'collection.paid',
  'collection.failed',
  'collection.closed',
  'collection.refunded',
] as const;
export type CollectionEvent = (typeof collectionEvents)[number];
