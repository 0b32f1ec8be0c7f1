import * as z from 'zod';
import { channelCodes } from '../channels.ts';
import { callbackAttempt, collectionDetail, collectionStatuses } from '../collections.ts';
import { endpoint } from '../endpoint.ts';
import { instant, listQuery, listReply, oneOrMore, textFilter } from '../lists.ts';
import { amount, currency } from '../money.ts';
import { payoutDetail, payoutStatuses } from '../payouts.ts';
import { phrase } from '../phrase.ts';
import { refundDetail } from '../refunds.ts';
import { requiredText } from '../visible-text.ts';
import { evidenceIds } from './evidence.ts';
import { placeKinds } from './today.ts';

export const orderKinds = ['payout', 'collection'] as const;
export type OrderKind = (typeof orderKinds)[number];

/** The statuses of both kinds; no name occurs twice. */
export const orderStatuses = [...payoutStatuses, ...collectionStatuses] as const;

/** The merchant that an order belongs to. */
const orderMerchant = z.object({ code: z.string(), name: z.string(), isTest: z.boolean() });

/** A payout or a collection of any merchant. */
export const orderRow = z.object({
  kind: z.enum(orderKinds),
  trade_no: z.string(),
  out_trade_no: z.string().nullable(),
  merchant: orderMerchant,
  status: z.enum(orderStatuses),
  amount,
  fee: amount,
  currency,
  channel: z.string().nullable(),
  /** Null for a collection. */
  payee: z.string().nullable(),
  createdAt: instant,
  paidAt: instant.nullable(),
});
export type OrderRow = z.output<typeof orderRow>;

/**
 * `search` finds exactly: our number, the merchant's, that of a batch, the channel's reference, or the payee's account, without
 * regard to spaces and dashes in it. The numbers and the reference of a refund find its collection. Without `search` and `merchant`, orders of test merchants are left out.
 */
export const orderQuery = listQuery({
  search: textFilter,
  kind: z.enum(orderKinds).optional(),
  merchant: textFilter,
  status: oneOrMore(orderStatuses),
  channel: z.enum(channelCodes).optional(),
  createdFrom: instant.optional(),
  createdTo: instant.optional(),
});
export type OrderQuery = z.output<typeof orderQuery>;

/** A callback to the merchant's system, with every attempt. */
const callback = z.object({
  id: z.uuid(),
  event: z.string(),
  url: z.string(),
  createdAt: instant,
  state: z.enum(['waiting', 'delivered', 'givenUp']),
  attempts: z.array(callbackAttempt),
});
export type OrderCallback = z.output<typeof callback>;

/** A posting to the ledger. Its entries add up to zero. */
const posting = z.object({
  type: z.string(),
  at: instant,
  /** Empty once the month is archived. */
  entries: z.array(
    z.object({
      account: z.enum(placeKinds),
      /** The channel of a clearing account; otherwise empty. */
      reference: z.string(),
      amount,
    }),
  ),
});
export type OrderPosting = z.output<typeof posting>;

const around = {
  merchant: orderMerchant,
  callbacks: z.array(callback),
  postings: z.array(posting),
};

/** The next step of a payout that somebody can have done at once: sending it, or asking its channel. */
const payoutStep = z.enum(['send', 'ask']);

/** The outcomes of a payout that a bank's statement can show. */
export const payoutOutcomes = ['paid', 'failed'] as const;
export type PayoutOutcome = (typeof payoutOutcomes)[number];

/** Contradictions of one payout that are shown, and settled, at a time. A channel that reports endlessly fills no page. */
export const maxContradictions = 10;

/** Identifies a report that contradicts the outcome of a payout: the channel's, or that of a statement. */
const reportKey = z.strictObject({
  source: z.enum(['channel', 'statement']),
  reported: z.enum(payoutOutcomes),
  bankReference: z.string().max(1000),
});

const contradiction = z.object({ ...reportKey.shape, bankReference: z.string(), at: instant });

export const payoutCase = payoutDetail.omit({ createdBy: true }).extend({
  ...around,
  sentAt: instant.nullable(),
  /** Null if it has ended, or waits for its merchant's approval. */
  step: payoutStep.nullable(),
  /** Whether its outcome is unknown, so that the bank's statement can decide it. */
  isUnknown: z.boolean(),
  /** The request that waits for a second person to agree to its outcome. */
  requestId: z.string().nullable(),
  /** Reports that contradict its outcome, and that nobody has settled yet. */
  contradictions: z.array(contradiction),
});
export type PayoutCase = z.output<typeof payoutCase>;

export const collectionCase = collectionDetail.omit({ cashierUrl: true, link: true }).extend({
  ...around,
  /** Its last 100 refunds, newest first. */
  refunds: z.array(refundDetail),
});
export type CollectionCase = z.output<typeof collectionCase>;

/**
 * Body of a decision by the bank’s statement: `bankReference` is the statement’s line, `reason` is for the second person, `evidence` names
 * the uploaded files that show it.
 */
export const payoutOutcomeBody = z.strictObject({
  outcome: z.enum(payoutOutcomes, phrase('validation.choice')),
  bankReference: requiredText('validation.bankReferenceRequired', 64, 'validation.bankReferenceLength'),
  reason: requiredText('validation.reasonRequired', 300, 'validation.reasonLength'),
  evidence: evidenceIds,
});

/** The same as the fields of a form, which separates the files by commas. */
export const payoutOutcomeFields = payoutOutcomeBody.extend({
  evidence: z
    .string()
    .transform((ids) => ids.split(',').filter(Boolean))
    .pipe(evidenceIds),
});

const oneOrder = z.object({ trade_no: z.string().max(64) });

export const orderEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/staff/orders',
    summary: 'Lists the payouts and collections of all merchants, newest first.',
    access: 'staff',
    staffPerm: 'orders.read',
    query: orderQuery,
    status: 200,
    reply: listReply(orderRow),
    errors: [],
  }),
  sendAgain: endpoint({
    method: 'POST',
    path: '/api/staff/orders/:trade_no/callbacks/:id/send-again',
    summary: 'Sends a callback of an order again at once, whether or not it was delivered.',
    access: 'staff',
    staffPerm: 'orders.act',
    params: oneOrder.extend({ id: z.uuid() }),
    status: 204,
    errors: ['not_found'],
  }),
};

export const payoutCaseEndpoints = {
  get: endpoint({
    method: 'GET',
    path: '/api/staff/payouts/:trade_no',
    summary: 'Returns a payout of any merchant with its timeline, callbacks and postings.',
    access: 'staff',
    staffPerm: 'orders.read',
    params: oneOrder,
    status: 200,
    reply: z.object({ data: payoutCase }),
    errors: ['not_found'],
  }),
  takeUp: endpoint({
    method: 'POST',
    path: '/api/staff/payouts/:trade_no/take-up',
    summary:
      'Takes a payout up at once: sends one that was never sent, and asks the channel about any other.',
    access: 'staff',
    staffPerm: 'orders.act',
    params: oneOrder,
    status: 200,
    reply: z.object({ data: z.object({ step: payoutStep }) }),
    errors: ['not_found', 'invalid_transition', 'merchant_suspended'],
  }),
  askOutcome: endpoint({
    method: 'POST',
    path: '/api/staff/payouts/:trade_no/outcome',
    summary: 'Asks a second person to agree to the outcome of a payout that the bank’s statement shows.',
    access: 'staff',
    staffPerm: 'orders.decide',
    params: oneOrder,
    body: payoutOutcomeBody,
    status: 200,
    reply: z.object({ data: z.object({ requestId: z.string() }) }),
    errors: ['not_found', 'invalid_transition', 'request_waiting'],
  }),
  settle: endpoint({
    method: 'POST',
    path: '/api/staff/payouts/:trade_no/contradictions/settle',
    summary: 'Settles reports that contradict a payout’s outcome, with how. It moves no money.',
    access: 'staff',
    staffPerm: 'orders.decide',
    params: oneOrder,
    body: z.strictObject({
      note: requiredText('validation.reasonRequired', 300, 'validation.reasonLength'),
      /** The reports that the person has read. Others, which may have come since, stay open. */
      reports: z.array(reportKey).min(1).max(maxContradictions),
    }),
    status: 204,
    errors: ['own_decision', 'not_found', 'conflict'],
  }),
};

export const collectionCaseEndpoints = {
  get: endpoint({
    method: 'GET',
    path: '/api/staff/collections/:trade_no',
    summary: 'Returns a collection of any merchant with its timeline, refunds, callbacks and postings.',
    access: 'staff',
    staffPerm: 'orders.read',
    params: oneOrder,
    status: 200,
    reply: z.object({ data: collectionCase }),
    errors: ['not_found'],
  }),
  ask: endpoint({
    method: 'POST',
    path: '/api/staff/collections/:trade_no/ask',
    summary: 'Asks the channel at once whether a collection was paid.',
    access: 'staff',
    staffPerm: 'orders.act',
    params: oneOrder,
    status: 204,
    errors: ['not_found', 'invalid_transition'],
  }),
};
