import * as z from 'zod';
import { approvalStates } from './approval-states.ts';
import { channelCodes, payoutRefusals } from './channels.ts';
import { endpoint } from './endpoint.ts';
import { instant, oneOrMore } from './lists.ts';
import { amount, currency } from './money.ts';
import { openListQuery, openListReply } from './open-api.ts';
import { outTradeNo } from './out-trade-no.ts';
import { checkPayout, payoutOrder } from './payout-fields.ts';
import { payoutStatuses } from './payouts.ts';
import { webUrl } from './web-url.ts';

/** Body of "create a payout". The access key authorizes it: there is no payment password. */
export const createPayout = z
  .strictObject({
    out_trade_no: outTradeNo,
    currency,
    ...payoutOrder,
    notifyUrl: webUrl.optional(),
    /** True if it is intended although the same amount went to the same account within 24 hours. */
    confirmSimilar: z.boolean().optional(),
  })
  .superRefine(checkPayout);
export type CreatePayout = z.output<typeof createPayout>;

/** A payout as the merchant's system sees it. */
export const openPayout = z.object({
  trade_no: z.string(),
  out_trade_no: z.string().nullable(),
  status: z.enum(payoutStatuses),
  /**
   * Whether a rule of the merchant lets it be sent: `waiting` until enough people have approved it; null if no rule covers it. After
   * `refused`, `withdrawn` and `expired` it is rejected.
   */
  approvalState: z.enum(approvalStates).nullable(),
  amount,
  fee: amount,
  currency,
  channel: z.enum(channelCodes),
  payee: z.string(),
  payeeAccount: z.string(),
  createdAt: instant,
  paidAt: instant.nullable(),
  rejectedAt: instant.nullable(),
  /** Why the channel rejected it; null if the service's staff did. */
  rejectCode: z.enum(payoutRefusals).nullable(),
  /** The channel's own wording, for logs and support, or the reason given by staff. */
  rejectReason: z.string().nullable(),
  bankReference: z.string().nullable(),
});
export type OpenPayout = z.output<typeof openPayout>;

export const openPayoutQuery = openListQuery({ status: oneOrMore(payoutStatuses) });
export type OpenPayoutQuery = z.output<typeof openPayoutQuery>;

export const openPayoutEndpoints = {
  create: endpoint({
    method: 'POST',
    path: '/openapi/v1/payouts',
    summary: 'Creates a payout. The same out_trade_no with the same body returns the same payout.',
    access: 'signed',
    scope: 'payouts',
    body: createPayout,
    example: {
      body: {
        out_trade_no: 'PO-20261120-0001',
        amount: '12.80',
        currency: 'CNY',
        channel: 'CN_BANK',
        payee: '王芳',
        payeeAccount: '6222021234567890128',
        bank: 'ICBC',
        bankName: '中国工商银行',
        confirmSimilar: true,
      },
    },
    status: 201,
    reply: openPayout,
    errors: [
      'out_trade_no_used',
      'channel_closed',
      'insufficient_funds',
      'limit_exceeded',
      'similar_payout',
      'similar_payout_unknown',
    ],
  }),
  find: endpoint({
    method: 'GET',
    path: '/openapi/v1/payouts',
    summary: 'Finds a payout by merchant order number.',
    access: 'signed',
    scope: 'payouts',
    query: z.strictObject({ out_trade_no: outTradeNo }),
    example: { query: { out_trade_no: 'PO-20261120-0001' } },
    status: 200,
    reply: openPayout,
    errors: ['not_found'],
  }),
  list: endpoint({
    method: 'GET',
    path: '/openapi/v1/payouts/list',
    summary: 'Lists payouts, newest first.',
    access: 'signed',
    scope: 'payouts',
    callLimit: 'lists',
    query: openPayoutQuery,
    status: 200,
    reply: openListReply(openPayout),
    errors: [],
  }),
  get: endpoint({
    method: 'GET',
    path: '/openapi/v1/payouts/:trade_no',
    summary: 'Returns a payout.',
    access: 'signed',
    scope: 'payouts',
    params: z.object({ trade_no: z.string().max(64) }),
    example: { params: { trade_no: 'P261120160000618033989' } },
    status: 200,
    reply: openPayout,
    errors: ['not_found'],
  }),
};

/** Events of payouts that a merchant's system receives. */
export const payoutEvents = ['payout.processed', 'payout.rejected'] as const;
export type PayoutEvent = (typeof payoutEvents)[number];
