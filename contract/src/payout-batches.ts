import * as z from 'zod';
import { approvalStates } from './approval-states.ts';
import { authorization } from './authorization.ts';
import { channelCodes } from './channels.ts';
import { endpoint } from './endpoint.ts';
import { type ErrorCode, errorStatus } from './errors.ts';
import { instant } from './lists.ts';
import { amount, amountInput, currency } from './money.ts';
import { batchRow, maxBatchRows } from './payout-batch-rows.ts';
import { payoutOrder } from './payout-fields.ts';
import { payoutStatuses } from './payouts.ts';
import { phrase } from './phrase.ts';

/** The states of a row in a submitted batch: `taken` became a payout, `failed` did not. */
export const batchRowStates = ['waiting', 'taken', 'failed'] as const;
export type BatchRowState = (typeof batchRowStates)[number];

const rows = z
  .array(batchRow, phrase('validation.batchRows'))
  .min(1, phrase('validation.batchRows'))
  .max(maxBatchRows, phrase('validation.batchRows'));
/** Maximum faults that a check lists. */
export const maxBatchFaults = 1000;
/** A row's number among those sent, from 1. */
const line = z.number().int().min(1);
const lines = z.array(line).max(maxBatchRows);

/** The totals of a batch, and what a person should know before submitting it. */
export const batchCheck = z.object({
  currency,
  count: z.number().int(),
  amount,
  fee: amount,
  total: amount,
  /** Available funds. */
  available: amount,
  /** Rows that the available funds cover, in order; a row that is too large is skipped for smaller ones. */
  coveredCount: z.number().int(),
  /** The shortfall of the available funds for all rows. */
  short: amount,
  /** The same in USDT at the rate of top-ups, rounded up; null if nothing is short, or there is no rate. */
  shortUsdt: amount.nullable(),
  /** The first faults, each with its phrase, starting with those that only the server can detect. */
  faults: z.array(z.object({ line, field: z.string(), message: z.string() })),
  /** Total number of faults. */
  faultCount: z.number().int(),
  /** Rows that look like an earlier payment: a payout of the past 24 hours, or an earlier row. */
  similar: z.array(
    z.object({
      line,
      trade_no: z.string().nullable(),
      earlierLine: line.nullable(),
      /** The result of the earlier payment is still unknown: the row can't be confirmed, only left out. */
      isUnknown: z.boolean(),
    }),
  ),
  /** Rows whose account was never paid, and those of them whose payee was paid on another account. */
  newAccounts: lines,
  changedAccounts: lines,
  /** An earlier batch of the same rows. */
  repeated: z.object({ batch_no: z.string(), createdAt: instant }).nullable(),
});
export type BatchCheck = z.output<typeof batchCheck>;

const applyBatch = z.strictObject({
  channel: payoutOrder.channel,
  /** The file's name, or a name chosen by the person. */
  name: z.string().trim().min(1).max(200, phrase('validation.tooLong')),
  rows,
  /** Rows that the person confirms although they look like an earlier payment. */
  confirmed: lines.default([]),
  /** True if the person confirms although the same rows were submitted before. */
  confirmRepeated: z.boolean().default(false),
  /** The total that the person was shown, fees included: the batch is refused if it differs. */
  total: amountInput,
  ...authorization,
});
export type ApplyBatch = z.output<typeof applyBatch>;

/** A submitted batch and its progress. */
export const payoutBatch = z.object({
  batch_no: z.string(),
  name: z.string(),
  channel: z.enum(channelCodes),
  currency,
  count: z.number().int(),
  amount,
  fee: amount,
  /** Rows by state. */
  waiting: z.number().int(),
  taken: z.number().int(),
  failed: z.number().int(),
  /** Whether it may be paid, if the merchant's rules ask for approval of the whole; null if they do not. */
  approvalState: z.enum(approvalStates).nullable(),
  createdAt: instant,
  /** When its last row was taken or failed; null until then. */
  finishedAt: instant.nullable(),
  createdBy: z.string(),
});
export type PayoutBatch = z.output<typeof payoutBatch>;

const batchParams = z.object({ batch_no: z.string().max(64) });
/** Ten thousand Chinese rows of some 200 bytes each, with a threefold margin. */
const bodyLimitBytes = 6 * 1024 * 1024;
/** Each row with all of its fields, and once more among the confirmed ones. */
const bodyLimitValues = maxBatchRows * 16;

export const payoutBatchEndpoints = {
  check: endpoint({
    method: 'POST',
    path: '/api/merchant/payout-batches/check',
    summary: 'Previews rows as a batch: totals, what the available funds cover, and errors. Changes nothing.',
    access: 'session',
    perm: 'payouts.create',
    bodyLimitBytes,
    bodyLimitValues,
    body: z.strictObject({ channel: payoutOrder.channel, rows }),
    status: 200,
    reply: z.object({ data: batchCheck }),
    errors: ['channel_closed'],
  }),
  apply: endpoint({
    method: 'POST',
    path: '/api/merchant/payout-batches',
    summary: 'Submits a batch payout: each row becomes a payout or fails on its own.',
    access: 'session',
    perm: 'payouts.create',
    isIdempotent: true,
    bodyLimitBytes,
    bodyLimitValues,
    body: applyBatch,
    status: 201,
    reply: z.object({ data: payoutBatch }),
    errors: [
      'merchant_suspended',
      'channel_closed',
      'batch_repeated',
      'terms_changed',
      'idempotency_key_reused',
      'idempotency_in_flight',
      'too_many_attempts',
      'quota_reached',
    ],
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/merchant/payout-batches',
    summary: 'Lists the last 20 batches, newest first.',
    access: 'session',
    perm: 'payouts.read',
    status: 200,
    reply: z.object({ data: z.array(payoutBatch) }),
    errors: [],
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/merchant/payout-batches/:batch_no',
    summary: 'Returns a batch with its progress and the results of its payouts.',
    access: 'session',
    perm: 'payouts.read',
    params: batchParams,
    status: 200,
    reply: z.object({
      data: payoutBatch.extend({
        /** Its payouts by state; states without any are omitted. */
        payouts: z.partialRecord(z.enum(payoutStatuses), z.number().int()),
      }),
    }),
    errors: ['not_found'],
  }),
  failed: endpoint({
    method: 'GET',
    path: '/api/merchant/payout-batches/:batch_no/failed',
    summary: 'Lists the failed rows with their reasons, to be corrected and submitted again.',
    access: 'session',
    perm: 'payouts.create',
    params: batchParams,
    status: 200,
    reply: z.object({
      data: z.object({
        channel: z.enum(channelCodes),
        rows: z.array(
          z.object({
            line,
            row: batchRow,
            reason: z.enum(Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]]),
          }),
        ),
      }),
    }),
    errors: ['not_found'],
  }),
};
