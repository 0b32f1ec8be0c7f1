import * as z from 'zod';
import { approvalStates } from './approval-states.ts';
import { callbackFailures } from './callbacks.ts';
import { collectionRefusals } from './channels.ts';
import { endpoint } from './endpoint.ts';
import { instant, listQuery, listReply, numberFilter, oneOrMore, textFilter } from './lists.ts';
import { amount, amountInput, currency } from './money.ts';
import { payerAnswer } from './payer-fields.ts';

/** States of a collection (an order that a payer pays). */
export const collectionStatuses = [
  'toBePaid',
  'paid',
  'success',
  'refunded',
  'cancelled',
  'closed',
  'failed',
] as const;
export type CollectionStatus = (typeof collectionStatuses)[number];

/**
 * The allowed moves. `paid` becomes `success` once the merchant's system acknowledges the callback (or has
 * none). Money can still arrive for an abandoned order: closed, cancelled and failed orders become paid when
 * the channel reports a payment.
 */
export const collectionMoves: Record<CollectionStatus, readonly CollectionStatus[]> = {
  toBePaid: ['paid', 'cancelled', 'closed', 'failed'],
  paid: ['success', 'refunded'],
  success: ['refunded'],
  refunded: [],
  cancelled: ['paid'],
  closed: ['paid'],
  failed: ['paid'],
};

/** The progress of a paid collection toward available funds. */
export const settlementStatuses = ['unsettled', 'pendingSettlement', 'settled'] as const;
export type SettlementStatus = (typeof settlementStatuses)[number];

export const collectionRow = z.object({
  trade_no: z.string(),
  out_trade_no: z.string(),
  status: z.enum(collectionStatuses),
  /** Null until paid. */
  settlementStatus: z.enum(settlementStatuses).nullable(),
  amount,
  /** Zero until paid. */
  fee: amount,
  /** The amount that reaches the merchant: amount − fee, less what refunds have cost; zero until paid. */
  net: amount,
  /** Given back to the payer so far. */
  refunded: amount,
  /** On the way back to the payer. */
  refunding: amount,
  currency,
  channel: z.string().nullable(),
  subject: z.string().nullable(),
  createdAt: instant,
  expiresAt: instant,
  paidAt: instant.nullable(),
  refundedAt: instant.nullable(),
  /** Number of the settlement batch that contains it. */
  settlement_no: z.string().nullable(),
});
export type CollectionRow = z.output<typeof collectionRow>;

/**
 * One event of an order. `refusal` says why a channel refused; `detail` is the channel's own wording, shown
 * as text and only as technical information.
 */
const timelineEntry = z.object({
  at: instant,
  status: z.enum(collectionStatuses),
  reason: z.string().nullable(),
  refusal: z.enum(collectionRefusals).nullable(),
  detail: z.string().nullable(),
});

/** One attempt to deliver a callback to the merchant's system. */
export const callbackAttempt = z.object({
  at: instant,
  event: z.string(),
  attempt: z.number().int(),
  /** HTTP status of the response; null if there was none. */
  httpStatus: z.number().int().nullable(),
  /** Why there was no response. */
  error: z.enum(callbackFailures).nullable(),
  durationMs: z.number().int(),
});

/** An attempt to deliver one of an order's callbacks, each of which can be sent again. */
const orderCallback = callbackAttempt.extend({
  callback_id: z.uuid(),
  /** The receiver: the name of the endpoint, or the host of the address. */
  receiver: z.string(),
});

export const collectionDetail = collectionRow.extend({
  cashierUrl: z.string(),
  notifyUrl: z.string().nullable(),
  bankReference: z.string().nullable(),
  /** Whether a refund waits for approval, and how the last request for one ended; null if no rule covers it. */
  refundApprovalState: z.enum(approvalStates).nullable(),
  timeline: z.array(timelineEntry),
  /** Whether its channel can be asked if it was paid. */
  canAsk: z.boolean(),
  /** The payment link that it was made with, and what its payer has filled in; null without a link. */
  link: z
    .object({
      link_no: z.string(),
      title: z.string(),
      quantity: z.number().int(),
      answers: z.array(payerAnswer),
    })
    .nullable(),
  callbacks: z.array(orderCallback),
});
export type CollectionDetail = z.output<typeof collectionDetail>;

export const collectionQuery = listQuery({
  trade_no: numberFilter,
  out_trade_no: numberFilter,
  status: oneOrMore(collectionStatuses),
  settlementStatus: oneOrMore(settlementStatuses),
  channel: textFilter,
  settlement_no: textFilter,
  /** Number of the payment link. */
  link: textFilter,
  amountFrom: amountInput.optional(),
  amountTo: amountInput.optional(),
  createdFrom: instant.optional(),
  createdTo: instant.optional(),
  paidFrom: instant.optional(),
  paidTo: instant.optional(),
});
export type CollectionQuery = z.output<typeof collectionQuery>;

export const collectionEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/merchant/collections',
    summary: 'Lists collections, newest first. Ranges include the start and exclude the end.',
    access: 'session',
    perm: 'collections.read',
    query: collectionQuery,
    status: 200,
    reply: listReply(collectionRow),
    errors: [],
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/merchant/collections/:trade_no',
    summary: 'Returns a collection with its timeline and callback attempts.',
    access: 'session',
    perm: 'collections.read',
    params: z.object({ trade_no: z.string().max(64) }),
    status: 200,
    reply: z.object({ data: collectionDetail }),
    errors: ['not_found'],
  }),
};
