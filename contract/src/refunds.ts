import * as z from 'zod';
import { approvalStates } from './approval-states.ts';
import { authorization } from './authorization.ts';
import { endpoint } from './endpoint.ts';
import { instant, listQuery, listReply, numberFilter, oneOrMore } from './lists.ts';
import { amount, amountInput, currency } from './money.ts';
import { requiredText } from './visible-text.ts';

/**
 * States of a refund: `requested` while it waits for approval; `processing` once its money is set aside, until the channel has
 * said how it ended.
 */
export const refundStatuses = ['requested', 'processing', 'refunded', 'failed'] as const;
export type RefundStatus = (typeof refundStatuses)[number];

/** The allowed moves. A refund that has ended stays as it is: whoever wants to try again makes another one. */
export const refundMoves: Record<RefundStatus, readonly RefundStatus[]> = {
  requested: ['processing', 'failed'],
  processing: ['refunded', 'failed'],
  refunded: [],
  failed: [],
};

/** Why a refund failed: it was not approved, the request was withdrawn or expired, or the channel declined or never received it. */
export const refundFailures = [
  'notApproved',
  'withdrawn',
  'expired',
  'channelRefused',
  'neverArrived',
] as const;
export type RefundFailure = (typeof refundFailures)[number];

/** Origins of a refund: somebody at the console, the merchant's system, or the service, for a payment that came too late. */
export const refundSources = ['console', 'openApi', 'service'] as const;
export type RefundSource = (typeof refundSources)[number];

export const refundRow = z.object({
  refund_no: z.string(),
  /** The merchant's own number; null if its system gave none. */
  out_refund_no: z.string().nullable(),
  trade_no: z.string(),
  out_trade_no: z.string(),
  status: z.enum(refundStatuses),
  amount,
  /** The part of the payment's fee that is returned to the merchant. Null unless the refund is booked: it is decided then. */
  fee: amount.nullable(),
  /** Its cost to the merchant: amount − fee. Null unless it is booked. */
  net: amount.nullable(),
  /** The part of `net` that is taken from available funds; the rest comes from unsettled funds. Null unless it is booked. */
  fromAvailable: amount.nullable(),
  currency,
  channel: z.string(),
  reason: z.string().nullable(),
  source: z.enum(refundSources),
  failure: z.enum(refundFailures).nullable(),
  createdAt: instant,
  /** When the payer had the money back, or it was certain that the refund had failed. */
  endedAt: instant.nullable(),
});
export type RefundRow = z.output<typeof refundRow>;

export const refundDetail = refundRow.extend({
  /** How the request for approval stands; null if no rule covers the refund. */
  approvalState: z.enum(approvalStates).nullable(),
  /** When the channel was first called. */
  sentAt: instant.nullable(),
  /** The channel's own words if it declined, shown as text and only as technical information. */
  detail: z.string().nullable(),
  /** The channel's number for it; null until the channel has answered, or if it has given none. */
  bankReference: z.string().nullable(),
  /** Number of the settlement that deducted it. */
  settlement_no: z.string().nullable(),
});
export type RefundDetail = z.output<typeof refundDetail>;

/** The reason for a refund, as the merchant writes it for itself: 1 to 200 characters. */
export const refundReason = requiredText('validation.required', 200);

export const refundQuery = listQuery({
  refund_no: numberFilter,
  trade_no: numberFilter,
  status: oneOrMore(refundStatuses),
  amountFrom: amountInput.optional(),
  amountTo: amountInput.optional(),
  createdFrom: instant.optional(),
  createdTo: instant.optional(),
  /** When the payer had the money back, or the refund had failed. */
  endedFrom: instant.optional(),
  endedTo: instant.optional(),
});
export type RefundQuery = z.output<typeof refundQuery>;

/** Body of "refund a payment": the amount, up to what is left of it, and why. */
export const createRefund = z.strictObject({
  amount: amountInput,
  reason: refundReason,
  ...authorization,
});
export type CreateRefund = z.output<typeof createRefund>;

const byCollection = z.object({ trade_no: z.string().max(64) });

export const refundEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/merchant/refunds',
    summary:
      'Lists refunds, newest first, or the last to end first if only a range of ends is given. Ranges include the start and exclude the end.',
    access: 'session',
    perm: 'collections.read',
    query: refundQuery,
    status: 200,
    reply: listReply(refundRow),
    errors: [],
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/merchant/refunds/:refund_no',
    summary: 'Returns a refund.',
    access: 'session',
    perm: 'collections.read',
    params: z.object({ refund_no: z.string().max(80) }),
    status: 200,
    reply: z.object({ data: refundDetail }),
    errors: ['not_found'],
  }),
  ofCollection: endpoint({
    method: 'GET',
    path: '/api/merchant/collections/:trade_no/refunds',
    summary: 'Returns the last 100 refunds of a collection, newest first, and what can still be given back.',
    access: 'session',
    perm: 'collections.read',
    params: byCollection,
    status: 200,
    reply: z.object({
      data: z.object({
        refunds: z.array(refundRow),
        /** The amount that can still be refunded: that of the payment, less all refunds that were made, are under way or wait for approval. */
        left: amount,
        /** Whether a refund returns its part of the fee. */
        isFeeReturned: z.boolean(),
        currency,
      }),
    }),
    errors: ['not_found'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/merchant/collections/:trade_no/refunds',
    summary: 'Refunds a payment, or a part of it, or asks for approval if a rule of the merchant covers it.',
    access: 'session',
    perm: 'refunds.create',
    isIdempotent: true,
    params: byCollection,
    body: createRefund,
    status: 201,
    reply: z.object({ data: refundRow }),
    errors: [
      'not_found',
      'invalid_transition',
      'refund_exceeds',
      'insufficient_funds',
      'too_many_attempts',
      'too_many_requests',
    ],
  }),
};
