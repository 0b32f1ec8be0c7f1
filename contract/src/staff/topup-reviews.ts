import * as z from 'zod';
import { endpoint } from '../endpoint.ts';
import { imageTypes } from '../images.ts';
import { instant } from '../lists.ts';
import { amount, amountInput } from '../money.ts';
import { phrase } from '../phrase.ts';
import { topupRow, topupStatuses } from '../topups.ts';
import { caseClaim, oneCase, queuePage, rejection } from './cases.ts';

/** A top-up in the queue, oldest first. */
export const topupCase = topupRow.extend({
  merchant: z.object({ code: z.string(), name: z.string() }),
  claim: caseClaim.nullable(),
  /** Reasons to look twice. */
  isImageKnown: z.boolean(),
  isTransactionKnown: z.boolean(),
  /** False if it was sent to an earlier wallet of the service. */
  isCurrentWallet: z.boolean(),
  /** A second person has to agree to its credit. */
  needsSecond: z.boolean(),
  /** The request for its credit that waits for a second person. */
  requestId: z.string().nullable(),
});
export type TopupCase = z.output<typeof topupCase>;

/** Another top-up that the reviewer compares with the case. */
export const comparedTopup = z.object({
  trade_no: z.string(),
  merchant: z.string(),
  status: z.enum(topupStatuses),
  usdt: amount,
  createdAt: instant,
});
export type ComparedTopup = z.output<typeof comparedTopup>;

export const topupCaseDetail = topupCase.extend({
  /** Other top-ups with the same picture, of any merchant. */
  sameImage: z.array(comparedTopup),
  /** Other top-ups with the same transaction, of any merchant. */
  sameTransaction: z.array(comparedTopup),
  /** The merchant's latest other top-ups. */
  earlier: z.array(comparedTopup),
});
export type TopupCaseDetail = z.output<typeof topupCaseDetail>;

const decided = { status: 200, reply: z.object({ data: topupCase }) } as const;

/** Body of an approval: what arrived, in USDT. */
export const approveTopup = z.strictObject({
  arrived: z
    .string(phrase('validation.topupAmountRequired'))
    .min(1, phrase('validation.topupAmountRequired'))
    .pipe(amountInput),
});

export const topupReviewEndpoints = {
  queue: endpoint({
    method: 'GET',
    path: '/api/staff/topup-reviews',
    summary: 'Lists the top-ups that wait for a decision or to be credited, oldest first, 50 at a time.',
    access: 'staff',
    staffPerm: 'topupReviews.read',
    query: queuePage,
    status: 200,
    reply: z.object({ data: z.array(topupCase) }),
    errors: [],
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/staff/topup-reviews/:trade_no',
    summary: 'Returns a top-up with what it is compared with.',
    access: 'staff',
    staffPerm: 'topupReviews.read',
    params: oneCase,
    status: 200,
    reply: z.object({ data: topupCaseDetail }),
    errors: ['not_found'],
  }),
  screenshot: endpoint({
    method: 'GET',
    path: '/api/staff/topup-reviews/:trade_no/screenshot',
    summary: 'Returns the screenshot of a top-up, in Base64.',
    access: 'staff',
    staffPerm: 'topupReviews.read',
    params: oneCase,
    status: 200,
    reply: z.object({ data: z.object({ type: z.enum(imageTypes), base64: z.string() }) }),
    errors: ['not_found'],
  }),
  claim: endpoint({
    method: 'POST',
    path: '/api/staff/topup-reviews/:trade_no/claim',
    summary:
      'Takes a case, so that others see who works on it. One that waits for a decision needs the permission to decide, an approved one to credit.',
    access: 'staff',
    staffPerm: 'topupReviews.read',
    params: oneCase,
    ...decided,
    errors: ['forbidden', 'not_found', 'case_taken', 'invalid_transition'],
  }),
  release: endpoint({
    method: 'DELETE',
    path: '/api/staff/topup-reviews/:trade_no/claim',
    summary: 'Gives a case back that the person has taken.',
    access: 'staff',
    staffPerm: 'topupReviews.read',
    params: oneCase,
    ...decided,
    errors: ['not_found'],
  }),
  approve: endpoint({
    method: 'POST',
    path: '/api/staff/topup-reviews/:trade_no/approve',
    summary: 'Approves a top-up for the amount that arrived.',
    access: 'staff',
    staffPerm: 'topupReviews.decide',
    params: oneCase,
    body: approveTopup,
    ...decided,
    errors: ['not_found', 'case_taken', 'invalid_transition'],
  }),
  credit: endpoint({
    method: 'POST',
    path: '/api/staff/topup-reviews/:trade_no/credit',
    summary:
      'Credits an approved top-up to the merchant’s available funds. Above an amount, asks a second person to agree instead.',
    access: 'staff',
    staffPerm: 'topupReviews.credit',
    params: oneCase,
    ...decided,
    errors: ['not_found', 'case_taken', 'invalid_transition', 'request_waiting', 'approval_changed'],
  }),
  reject: endpoint({
    method: 'POST',
    path: '/api/staff/topup-reviews/:trade_no/reject',
    summary: 'Rejects a top-up with a reason that the merchant reads.',
    access: 'staff',
    staffPerm: 'topupReviews.decide',
    params: oneCase,
    body: rejection,
    ...decided,
    errors: ['not_found', 'case_taken', 'invalid_transition'],
  }),
};
