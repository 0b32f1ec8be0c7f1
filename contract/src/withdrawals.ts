import * as z from 'zod';
import { approvalStates } from './approval-states.ts';
import { authorization } from './authorization.ts';
import { endpoint } from './endpoint.ts';
import { instant, listQuery, listReply, numberFilter, oneOrMore, textFilter } from './lists.ts';
import { amount, amountInput, currency } from './money.ts';
import { phrase } from './phrase.ts';
import { addressFault, networkCodes } from './wallets.ts';

/** States of a withdrawal: reviewed by the service's staff, then sent on its network. */
export const withdrawalStatuses = ['pendingReview', 'approved', 'paid', 'rejected'] as const;
export type WithdrawalStatus = (typeof withdrawalStatuses)[number];

export const withdrawalMoves: Record<WithdrawalStatus, readonly WithdrawalStatus[]> = {
  pendingReview: ['approved', 'rejected'],
  approved: ['paid', 'rejected'],
  paid: [],
  rejected: [],
};

/** The currencies in which a withdrawal is sent. */
export const withdrawalCoins = ['USDT'] as const;

export const withdrawalRow = z.object({
  trade_no: z.string(),
  status: z.enum(withdrawalStatuses),
  /** The currency that is sent. */
  coin: z.enum(withdrawalCoins),
  /** The amount sent, in USDT. */
  usdt: amount,
  feeUsdt: amount,
  /** The cost in the local currency, and the fee. */
  amount,
  fee: amount,
  /** amount + fee: what left available funds. */
  total: amount,
  currency,
  /** The amount in US dollars; null if the service had no rate for them. */
  usd: amount.nullable(),
  /** Local currency per USDT, at the time of the application; `usdRate` is US dollars per USDT. */
  rate: z.string(),
  usdRate: z.string().nullable(),
  network: z.enum(networkCodes),
  address: z.string(),
  /** The hash of the transaction that paid it. */
  transactionId: z.string().nullable(),
  /** The reviewer's reason, if it was rejected. */
  /** Whether it may be reviewed, if a rule of the merchant asks for approval; null if none does. */
  approvalState: z.enum(approvalStates).nullable(),
  rejectReason: z.string().nullable(),
  createdAt: instant,
  reviewedAt: instant.nullable(),
  paidAt: instant.nullable(),
});
export type WithdrawalRow = z.output<typeof withdrawalRow>;

export const withdrawalQuery = listQuery({
  trade_no: numberFilter,
  status: oneOrMore(withdrawalStatuses),
  approvalState: oneOrMore(approvalStates),
  coin: oneOrMore(withdrawalCoins),
  network: textFilter,
  address: textFilter,
  transactionId: textFilter,
  amountFrom: amountInput.optional(),
  amountTo: amountInput.optional(),
  createdFrom: instant.optional(),
  createdTo: instant.optional(),
});
export type WithdrawalQuery = z.output<typeof withdrawalQuery>;

/** The current withdrawal terms. */
export const withdrawalTerms = z.object({
  currency,
  /** Local currency per USDT; `usdRate` is US dollars per USDT. */
  rate: z.string(),
  rateAt: instant,
  usdRate: z.string().nullable(),
  feeUsdt: amount,
  freePerDay: z.number().int(),
  /** Free withdrawals left today, in the merchant's zone. */
  freeLeft: z.number().int(),
  minimumUsdt: amount,
});
export type WithdrawalTerms = z.output<typeof withdrawalTerms>;

/** The unit of an amount: USDT, or the local currency. */
export const withdrawalUnits = ['usdt', 'home'] as const;

const order = {
  amount: z
    .string(phrase('validation.withdrawalAmountRequired'))
    .min(1, phrase('validation.withdrawalAmountRequired'))
    .pipe(amountInput),
  unit: z.enum(withdrawalUnits, phrase('validation.withdrawalUnit')),
  network: z.enum(networkCodes, phrase('validation.networkRequired')),
  address: z
    .string(phrase('validation.addressRequired'))
    .trim()
    .min(1, phrase('validation.addressRequired'))
    .max(128, phrase('validation.tooLong')),
};

function checkAddress(
  { network, address }: { network: (typeof networkCodes)[number]; address: string },
  context: z.RefinementCtx,
): void {
  const fault = addressFault(network, address);
  const message = fault === 'checksum' ? 'validation.addressChecksum' : 'validation.address';
  if (fault) context.addIssue({ code: 'custom', path: ['address'], message: phrase(message) });
}

/** A withdrawal as entered in the form. */
export const withdrawalOrder = z.object(order).superRefine(checkAddress);
export type WithdrawalOrder = z.output<typeof withdrawalOrder>;

const applyWithdrawal = z
  .strictObject({
    ...order,
    /**
     * The total that the person was shown, fee included, in the local currency: the call is refused if it
     * differs.
     */
    total: amountInput.optional(),
    ...authorization,
  })
  .superRefine(checkAddress);
export type ApplyWithdrawal = z.output<typeof applyWithdrawal>;

export const withdrawalEndpoints = {
  terms: endpoint({
    method: 'GET',
    path: '/api/merchant/withdrawal-terms',
    summary: 'Returns the current withdrawal terms; null if withdrawals are not enabled for the merchant.',
    access: 'session',
    perm: 'withdrawals.read',
    status: 200,
    reply: z.object({ data: withdrawalTerms.nullable() }),
    errors: [],
  }),
  addresses: endpoint({
    method: 'GET',
    path: '/api/merchant/withdrawal-addresses',
    summary: 'Lists up to 20 addresses of paid withdrawals, last used first.',
    access: 'session',
    perm: 'withdrawals.create',
    status: 200,
    reply: z.object({ data: z.array(z.object({ network: z.enum(networkCodes), address: z.string() })) }),
    errors: [],
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/merchant/withdrawals',
    summary: 'Lists withdrawals, newest first. Ranges include the start and exclude the end.',
    access: 'session',
    perm: 'withdrawals.read',
    query: withdrawalQuery,
    status: 200,
    reply: listReply(withdrawalRow),
    errors: [],
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/merchant/withdrawals/:trade_no',
    summary: 'Returns a withdrawal.',
    access: 'session',
    perm: 'withdrawals.read',
    params: z.object({ trade_no: z.string().max(64) }),
    status: 200,
    reply: z.object({ data: withdrawalRow }),
    errors: ['not_found'],
  }),
  apply: endpoint({
    method: 'POST',
    path: '/api/merchant/withdrawals',
    summary: 'Submits a withdrawal: amount and fee are locked immediately, and our support team reviews it.',
    access: 'session',
    perm: 'withdrawals.create',
    isIdempotent: true,
    body: applyWithdrawal,
    status: 201,
    reply: z.object({ data: withdrawalRow }),
    errors: [
      'merchant_suspended',
      'withdrawals_closed',
      'terms_changed',
      'insufficient_funds',
      'limit_exceeded',
      'idempotency_key_reused',
      'idempotency_in_flight',
      'too_many_attempts',
    ],
  }),
};
