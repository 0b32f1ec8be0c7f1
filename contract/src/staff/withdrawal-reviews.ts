import * as z from 'zod';
import { endpoint } from '../endpoint.ts';
import { instant } from '../lists.ts';
import { amount } from '../money.ts';
import { phrase } from '../phrase.ts';
import { networkCodes } from '../wallets.ts';
import { withdrawalRow, withdrawalStatuses } from '../withdrawals.ts';
import { caseClaim, oneCase, queuePage, rejection } from './cases.ts';

/** A withdrawal in the queue, oldest first. */
export const withdrawalCase = withdrawalRow.extend({
  merchant: z.object({ code: z.string(), name: z.string() }),
  claim: caseClaim.nullable(),
  /** The merchant has withdrawn to this wallet before. */
  isWalletKnown: z.boolean(),
  /** Reasons to look twice: another merchant withdraws to it, or it is a wallet that merchants send their top-ups to. */
  isWalletShared: z.boolean(),
  isDepositWallet: z.boolean(),
  /** A second person has to agree to its payment. */
  needsSecond: z.boolean(),
  /** The request for its payment that waits for a second person. */
  requestId: z.string().nullable(),
});
export type WithdrawalCase = z.output<typeof withdrawalCase>;

/** Another withdrawal that the reviewer compares with the case. */
export const comparedWithdrawal = z.object({
  trade_no: z.string(),
  merchant: z.string(),
  status: z.enum(withdrawalStatuses),
  usdt: amount,
  network: z.enum(networkCodes),
  address: z.string(),
  createdAt: instant,
});
export type ComparedWithdrawal = z.output<typeof comparedWithdrawal>;

export const withdrawalCaseDetail = withdrawalCase.extend({
  /** The latest other withdrawals to the same wallet, of any merchant. */
  toWallet: z.array(comparedWithdrawal),
  /** The merchant's latest other withdrawals. */
  earlier: z.array(comparedWithdrawal),
  /** The merchant's withdrawals of the last 24 hours, with this one. */
  day: z.object({ count: z.number().int(), usdt: amount }),
});

export type WithdrawalCaseDetail = z.output<typeof withdrawalCaseDetail>;

const decided = { status: 200, reply: z.object({ data: withdrawalCase }) } as const;

/** Body of a payment: the transaction's hash on the network. */
export const payWithdrawal = z.strictObject({
  transactionId: z
    .string(phrase('validation.transactionIdRequired'))
    .trim()
    .min(1, phrase('validation.transactionIdRequired'))
    .max(128, phrase('validation.tooLong')),
});

export const withdrawalReviewEndpoints = {
  queue: endpoint({
    method: 'GET',
    path: '/api/staff/withdrawal-reviews',
    summary: 'Lists the withdrawals that wait for a decision or to be paid, oldest first, 50 at a time.',
    access: 'staff',
    staffPerm: 'withdrawalReviews.read',
    query: queuePage,
    status: 200,
    reply: z.object({ data: z.array(withdrawalCase) }),
    errors: [],
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/staff/withdrawal-reviews/:trade_no',
    summary: 'Returns a withdrawal with what it is compared with.',
    access: 'staff',
    staffPerm: 'withdrawalReviews.read',
    params: oneCase,
    status: 200,
    reply: z.object({ data: withdrawalCaseDetail }),
    errors: ['not_found'],
  }),
  claim: endpoint({
    method: 'POST',
    path: '/api/staff/withdrawal-reviews/:trade_no/claim',
    summary:
      'Takes a case, so that others see who works on it. One that waits for a decision needs the permission to decide, an approved one to pay.',
    access: 'staff',
    staffPerm: 'withdrawalReviews.read',
    params: oneCase,
    ...decided,
    errors: ['forbidden', 'not_found', 'case_taken', 'invalid_transition'],
  }),
  release: endpoint({
    method: 'DELETE',
    path: '/api/staff/withdrawal-reviews/:trade_no/claim',
    summary: 'Gives a case back that the person has taken.',
    access: 'staff',
    staffPerm: 'withdrawalReviews.read',
    params: oneCase,
    ...decided,
    errors: ['not_found'],
  }),
  approve: endpoint({
    method: 'POST',
    path: '/api/staff/withdrawal-reviews/:trade_no/approve',
    summary: 'Approves a withdrawal, which is then sent.',
    access: 'staff',
    staffPerm: 'withdrawalReviews.decide',
    params: oneCase,
    ...decided,
    errors: ['not_found', 'case_taken', 'invalid_transition', 'merchant_suspended'],
  }),
  pay: endpoint({
    method: 'POST',
    path: '/api/staff/withdrawal-reviews/:trade_no/pay',
    summary:
      'Marks an approved withdrawal as paid by a transaction. Above an amount, asks a second person to agree instead.',
    access: 'staff',
    staffPerm: 'withdrawalReviews.pay',
    params: oneCase,
    body: payWithdrawal,
    ...decided,
    errors: ['not_found', 'case_taken', 'invalid_transition', 'conflict', 'request_waiting'],
  }),
  reject: endpoint({
    method: 'POST',
    path: '/api/staff/withdrawal-reviews/:trade_no/reject',
    summary:
      'Rejects a withdrawal with a reason that the merchant reads, and returns amount and fee. Refused while a second person has yet to agree to its payment, because the money has been sent.',
    access: 'staff',
    staffPerm: 'withdrawalReviews.decide',
    params: oneCase,
    body: rejection,
    ...decided,
    errors: ['not_found', 'case_taken', 'invalid_transition', 'request_waiting'],
  }),
};
