import * as z from 'zod';
import { callbackEvents } from './callback-endpoints.ts';
import { callbackFailures } from './callbacks.ts';
import { endpoint } from './endpoint.ts';
import { instant, listQuery, listReply, oneOrMore, textFilter } from './lists.ts';
import { phrase } from './phrase.ts';

/** States of a callback. `skipped`: a person gave it up. */
export const callbackStates = ['waiting', 'delivered', 'givenUp', 'skipped'] as const;
export type CallbackState = (typeof callbackStates)[number];

/** Messages that one call sends again at most. */
export const maxSentAgain = 100;
/** Stands for messages to the callback URL of an order in the filter by endpoint. */
export const ownRoute = 'order';

export const callbackRow = z.object({
  id: z.string(),
  /** Number of the order. */
  trade_no: z.string(),
  subjectKind: z.enum(['collection', 'payout']),
  event: z.string(),
  /** Where it goes. */
  url: z.string(),
  /** The endpoint that it is for; null for the callback URL of the order. */
  endpoint: z.object({ id: z.string(), description: z.string().nullable() }).nullable(),
  state: z.enum(callbackStates),
  /** Whether it waits until its endpoint is on again. */
  isHeld: z.boolean(),
  attempts: z.number().int(),
  createdAt: instant,
  deliveredAt: instant.nullable(),
  /** When somebody last had it sent again. */
  resentAt: instant.nullable(),
});
export type CallbackRow = z.output<typeof callbackRow>;

export const callbackAttempt = z.object({
  attempt: z.number().int(),
  at: instant,
  httpStatus: z.number().int().nullable(),
  /** Why there was no answer; null if there was one. */
  error: z.enum(callbackFailures).nullable(),
  durationMs: z.number().int(),
  /** The first 4 KB of the reply as text, in which control characters are escaped and what looks like a secret is masked. */
  reply: z.string().nullable(),
  isResend: z.boolean(),
});
export type CallbackAttempt = z.output<typeof callbackAttempt>;

/** The message that each attempt sends. */
const callbackMessage = z.object({
  /** In their order; `value` is null for those that differ from attempt to attempt. */
  headers: z.array(z.object({ name: z.string(), value: z.string().nullable() })),
  /** JSON in which personal data is masked as in the request log. */
  body: z.string(),
  /** Whether a value of the body is masked or cut. */
  isMasked: z.boolean(),
});
export type SentMessage = z.output<typeof callbackMessage>;

export const callbackDetail = callbackRow.extend({
  message: callbackMessage,
  history: z.array(callbackAttempt),
});
export type CallbackDetail = z.output<typeof callbackDetail>;

export const callbackQuery = listQuery({
  /** Number of the order, ours or the merchant's own. */
  order_no: textFilter,
  event: oneOrMore(callbackEvents),
  /** ID of an endpoint, or `order` for callback URLs of orders. */
  endpoint: z
    .string()
    .regex(/^(order|\d{1,18})$/, phrase('validation.choice'))
    .optional(),
  state: oneOrMore(callbackStates),
  createdFrom: instant.optional(),
  createdTo: instant.optional(),
});
export type CallbackQuery = z.output<typeof callbackQuery>;

/** The callbacks of a merchant with every attempt. */
export const callbackMessageEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/merchant/callbacks',
    summary: 'Lists the callbacks of all orders, newest first.',
    access: 'session',
    perm: 'callbacks.read',
    query: callbackQuery,
    status: 200,
    reply: listReply(callbackRow),
    errors: [],
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/merchant/callbacks/:callback_id',
    summary: 'Returns a callback with the message, in which personal data is masked, and every attempt.',
    access: 'session',
    perm: 'callbacks.read',
    params: z.object({ callback_id: z.uuid() }),
    status: 200,
    reply: z.object({ data: callbackDetail }),
    errors: ['not_found', 'archive_unreadable'],
  }),
  sendAgain: endpoint({
    method: 'POST',
    path: '/api/merchant/callbacks/send-again',
    summary:
      'Sends callbacks again under their old IDs, whether or not they were delivered: all of them, or none. Those for an endpoint that is not on wait for it.',
    access: 'session',
    perm: 'callbacks.manage',
    body: z.strictObject({
      ids: z
        .array(z.uuid())
        .min(1, phrase('validation.choice'))
        .max(maxSentAgain, phrase('validation.choice')),
    }),
    status: 200,
    reply: z.object({ data: z.object({ sent: z.number().int() }) }),
    errors: ['not_found', 'too_many_attempts'],
  }),
};
