import * as z from 'zod';
import { approvalStates } from './approval-states.ts';
import { endpoint } from './endpoint.ts';
import { instant, oneOrMore } from './lists.ts';
import { amount, amountInput, currency } from './money.ts';
import { openListQuery, openListReply } from './open-api.ts';
import { outTradeNo } from './out-trade-no.ts';
import { refundFailures, refundReason, refundStatuses } from './refunds.ts';

/** Body of "create a refund". Without an amount, all that is left of the payment is given back. */
export const createOpenRefund = z.strictObject({
  out_refund_no: outTradeNo,
  trade_no: z.string().min(1).max(64),
  amount: amountInput.optional(),
  reason: refundReason.optional(),
});
export type CreateOpenRefund = z.output<typeof createOpenRefund>;

/** A refund as the merchant's system sees it. */
export const openRefund = z.object({
  refund_no: z.string(),
  /** Null if it was not made by this call. */
  out_refund_no: z.string().nullable(),
  trade_no: z.string(),
  out_trade_no: z.string(),
  status: z.enum(refundStatuses),
  amount,
  /** The part of the payment's fee that is returned to the merchant; zero while the refund is `requested`, because it is decided later. */
  fee: amount,
  currency,
  reason: z.string().nullable(),
  /** How the request for approval stands; null if no rule of the merchant covers the refund. */
  approvalState: z.enum(approvalStates).nullable(),
  /** Why it failed, if the status is `failed`. */
  failureCode: z.enum(refundFailures).nullable(),
  createdAt: instant,
  /** When the payer had the money back, or it was certain that the refund had failed. */
  endedAt: instant.nullable(),
});
export type OpenRefund = z.output<typeof openRefund>;

export const openRefundQuery = openListQuery({ status: oneOrMore(refundStatuses) });
export type OpenRefundQuery = z.output<typeof openRefundQuery>;

export const openRefundEndpoints = {
  create: endpoint({
    method: 'POST',
    path: '/openapi/v1/refunds',
    summary:
      'Refunds a payment, or a part of it. The same out_refund_no with the same body returns the same refund. Waits first (`requested`) if a rule of the merchant asks for approval.',
    access: 'signed',
    scope: 'refunds',
    body: createOpenRefund,
    example: {
      body: { out_refund_no: 'RF-20261121-0001', trade_no: 'C261120160000618033989', amount: '1.00' },
    },
    status: 201,
    reply: openRefund,
    errors: [
      'not_found',
      'out_trade_no_used',
      'invalid_transition',
      'refund_exceeds',
      'insufficient_funds',
      'too_many_requests',
    ],
  }),
  find: endpoint({
    method: 'GET',
    path: '/openapi/v1/refunds',
    summary: "Finds a refund by the merchant's own number.",
    access: 'signed',
    scope: 'refunds',
    query: z.strictObject({ out_refund_no: outTradeNo }),
    example: { query: { out_refund_no: 'RF-20261121-0001' } },
    status: 200,
    reply: openRefund,
    errors: ['not_found'],
  }),
  list: endpoint({
    method: 'GET',
    path: '/openapi/v1/refunds/list',
    summary: 'Lists refunds, newest first.',
    access: 'signed',
    scope: 'refunds',
    callLimit: 'lists',
    query: openRefundQuery,
    status: 200,
    reply: openListReply(openRefund),
    errors: [],
  }),
  get: endpoint({
    method: 'GET',
    path: '/openapi/v1/refunds/:refund_no',
    summary: 'Returns a refund.',
    access: 'signed',
    scope: 'refunds',
    params: z.object({ refund_no: z.string().max(80) }),
    example: { params: { refund_no: 'C261120160000618033989-R1' } },
    status: 200,
    reply: openRefund,
    errors: ['not_found'],
  }),
};

/** Events of refunds that a merchant's system receives, with the refund in `data`. */
export const refundEvents = ['refund.succeeded', 'refund.failed'] as const;
export type RefundEvent = (typeof refundEvents)[number];
