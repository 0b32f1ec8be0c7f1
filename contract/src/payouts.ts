import * as z from 'zod';
import { approvalStates } from './approval-states.ts';
import { authorization } from './authorization.ts';
import { channelCodes, payoutRefusals, pixKeyTypes } from './channels.ts';
import { endpoint } from './endpoint.ts';
import { instant, listQuery, listReply, numberFilter, oneOrMore, textFilter } from './lists.ts';
import { amount, amountInput, currency } from './money.ts';
import { checkPayout, payoutOrder } from './payout-fields.ts';

/**
 * States of a payout. `pendingSettlement`: sent, but the channel's answer is not known yet. The channel is
 * queried, and the payout is never sent again.
 */
export const payoutStatuses = [
  'pending',
  'processing',
  'processed',
  'rejected',
  'pendingSettlement',
] as const;
export type PayoutStatus = (typeof payoutStatuses)[number];

/**
 * The allowed moves. `processed` and `rejected` are final: if a channel contradicts them, people investigate.
 */
export const payoutMoves: Record<PayoutStatus, readonly PayoutStatus[]> = {
  pending: ['pendingSettlement', 'rejected'],
  pendingSettlement: ['processing', 'processed', 'rejected'],
  processing: ['processed', 'rejected'],
  processed: [],
  rejected: [],
};

/** How a payout was submitted. */
export const payoutSources = ['console', 'openApi'] as const;

/** Hours within which the same amount to the same account may be a repeated payment. */
export const similarHours = 24;

export const payoutRow = z.object({
  trade_no: z.string(),
  /** The merchant's own number, if given. */
  out_trade_no: z.string().nullable(),
  status: z.enum(payoutStatuses),
  /** Whether it may be sent, if a rule of the merchant asks for approval; null if none does. */
  approvalState: z.enum(approvalStates).nullable(),
  amount,
  fee: amount,
  /** amount + fee: what left available funds. */
  total: amount,
  currency,
  channel: z.enum(channelCodes),
  payee: z.string(),
  payeeAccount: z.string(),
  /** The bank's code at the channel. This field and the next five depend on the channel: `channelFields` names them. */
  bank: z.string().nullable(),
  bankName: z.string().nullable(),
  branchName: z.string().nullable(),
  ifsc: z.string().nullable(),
  accountType: z.enum(pixKeyTypes).nullable(),
  /** CPF or CNPJ, as it was submitted. */
  taxId: z.string().nullable(),
  /** Its row in the batch that it belongs to, from 1. */
  batch_line: z.number().int().nullable(),
  createdAt: instant,
  /** When the channel reported the payment; null until then. */
  paidAt: instant.nullable(),
  rejectedAt: instant.nullable(),
});
export type PayoutRow = z.output<typeof payoutRow>;

/**
 * One event of a payout. `refusal` says why the channel refused; `detail` is the channel's own wording, or
 * the reason given by the service's staff.
 */
const timelineEntry = z.object({
  at: instant,
  status: z.enum(payoutStatuses),
  reason: z.string().nullable(),
  refusal: z.enum(payoutRefusals).nullable(),
  detail: z.string().nullable(),
});

export const payoutDetail = payoutRow.extend({
  remark: z.string().nullable(),
  source: z.enum(payoutSources),
  /** The submitter: a person's name, or the access key. */
  createdBy: z.string(),
  /** The batch that it belongs to. */
  batch_no: z.string().nullable(),
  /** The channel's own reference number. */
  bankReference: z.string().nullable(),
  timeline: z.array(timelineEntry),
});
export type PayoutDetail = z.output<typeof payoutDetail>;

export const payoutQuery = listQuery({
  trade_no: numberFilter,
  out_trade_no: numberFilter,
  status: oneOrMore(payoutStatuses),
  approvalState: oneOrMore(approvalStates),
  payee: textFilter,
  payeeAccount: textFilter,
  channel: textFilter,
  bank: textFilter,
  /** In capitals or small letters. */
  ifsc: textFilter,
  accountType: textFilter,
  taxId: textFilter,
  batch_no: textFilter,
  amountFrom: amountInput.optional(),
  amountTo: amountInput.optional(),
  createdFrom: instant.optional(),
  createdTo: instant.optional(),
  paidFrom: instant.optional(),
  paidTo: instant.optional(),
});
export type PayoutQuery = z.output<typeof payoutQuery>;

/** True if the person has seen the earlier payment and intends this one, too. */
const confirmSimilar = z.boolean().optional();

/** Body of a payout submitted in the console. */
export const applyPayout = z
  .strictObject({
    ...payoutOrder,
    /** The total that the person was shown, fee included: the call is refused if it differs. */
    total: amountInput.optional(),
    ...authorization,
    confirmSimilar,
  })
  .superRefine(checkPayout);
export type ApplyPayout = z.output<typeof applyPayout>;

/** A channel that is open for the merchant's payouts now, and its fee. */
export const payoutChannel = z.object({
  code: z.enum(channelCodes),
  currency,
  /** Parts per million of the amount. */
  ratePpm: z.number().int(),
  /** Fixed part of the fee. */
  fixed: amount,
});
export type PayoutChannel = z.output<typeof payoutChannel>;

/** Facts about the account that a payout would go to. */
export const payeeCheck = z.object({
  /** No payout to exactly this account was ever processed. */
  isNewAccount: z.boolean(),
  /** The payee was paid before, on another account. */
  isChangedAccount: z.boolean(),
});

/** A payee of an earlier payout. */
export const knownPayee = z.object({
  channel: z.enum(channelCodes),
  payee: z.string(),
  payeeAccount: z.string(),
  bank: z.string().nullable(),
  bankName: z.string().nullable(),
  branchName: z.string().nullable(),
  ifsc: z.string().nullable(),
  accountType: z.enum(pixKeyTypes).nullable(),
  taxId: z.string().nullable(),
  lastPaidAt: instant,
});
export type KnownPayee = z.output<typeof knownPayee>;

export const payoutEndpoints = {
  channels: endpoint({
    method: 'GET',
    path: '/api/merchant/payout-channels',
    summary: 'Lists the channels open for payouts to the merchant, with their fees.',
    access: 'session',
    perm: 'payouts.read',
    status: 200,
    reply: z.object({ data: z.array(payoutChannel) }),
    errors: [],
  }),
  ifsc: endpoint({
    method: 'GET',
    path: '/api/merchant/payout-channels/ifsc/:ifsc',
    summary: 'Returns the bank of an IFSC; the last six characters identify the branch.',
    access: 'session',
    perm: 'payouts.create',
    params: z.object({ ifsc: z.string().max(16) }),
    status: 200,
    reply: z.object({ data: z.object({ bank: z.string(), branch: z.string() }) }),
    errors: ['not_found'],
  }),
  payees: endpoint({
    method: 'GET',
    path: '/api/merchant/payees',
    summary: 'Lists up to 10 recent payees whose name or account starts with the text, last paid first.',
    access: 'session',
    perm: 'payouts.create',
    query: z.strictObject({ channel: z.enum(channelCodes), search: z.string().trim().max(100).default('') }),
    status: 200,
    reply: z.object({ data: z.array(knownPayee) }),
    errors: [],
  }),
  checkPayee: endpoint({
    method: 'GET',
    path: '/api/merchant/payees/check',
    summary:
      'Returns whether an account was paid before, and whether its payee was paid on a different account.',
    access: 'session',
    perm: 'payouts.create',
    query: z.strictObject({
      channel: z.enum(channelCodes),
      payee: z.string().trim().max(100),
      payeeAccount: z.string().trim().max(128),
      bank: z.string().trim().max(32).optional(),
      ifsc: z.string().trim().max(16).optional(),
      accountType: z.enum(pixKeyTypes).optional(),
    }),
    status: 200,
    reply: z.object({ data: payeeCheck }),
    errors: [],
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/merchant/payouts',
    summary: 'Lists payouts, newest first. Ranges include the start and exclude the end.',
    access: 'session',
    perm: 'payouts.read',
    query: payoutQuery,
    status: 200,
    reply: listReply(payoutRow),
    errors: [],
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/merchant/payouts/:trade_no',
    summary: 'Returns a payout with its timeline.',
    access: 'session',
    perm: 'payouts.read',
    params: z.object({ trade_no: z.string().max(64) }),
    status: 200,
    reply: z.object({ data: payoutDetail }),
    errors: ['not_found'],
  }),
  apply: endpoint({
    method: 'POST',
    path: '/api/merchant/payouts',
    summary: 'Submits a payout: amount and fee are locked immediately, and it is sent to its channel.',
    access: 'session',
    perm: 'payouts.create',
    isIdempotent: true,
    body: applyPayout,
    status: 201,
    reply: z.object({ data: payoutRow }),
    errors: [
      'merchant_suspended',
      'channel_closed',
      'insufficient_funds',
      'limit_exceeded',
      'similar_payout',
      'similar_payout_unknown',
      'terms_changed',
      'idempotency_key_reused',
      'idempotency_in_flight',
      'too_many_attempts',
    ],
  }),
};
