import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { imageTypes, maxImageText } from './images.ts';
import { instant, listQuery, listReply, numberFilter, oneOrMore, textFilter } from './lists.ts';
import { amount, amountInput, currency, parseAmount } from './money.ts';
import { phrase } from './phrase.ts';
import { isTransactionOf, networkCodes } from './wallets.ts';

/** The currencies that can be sent to top up. */
export const topupCoins = ['USDT'] as const;
export type TopupCoin = (typeof topupCoins)[number];

/** States of a top-up: reviewed by the service's staff, then credited. */
export const topupStatuses = ['pendingReview', 'approved', 'paid', 'rejected'] as const;
export type TopupStatus = (typeof topupStatuses)[number];

export const topupMoves: Record<TopupStatus, readonly TopupStatus[]> = {
  pendingReview: ['approved', 'rejected'],
  approved: ['paid', 'rejected'],
  paid: [],
  rejected: [],
};

export const topupRow = z.object({
  trade_no: z.string(),
  status: z.enum(topupStatuses),
  /** The currency that was sent. */
  coin: z.enum(topupCoins),
  /** The amount that the merchant reports as sent, in USDT. */
  usdt: amount,
  /** The amount that arrived, according to the reviewer; null before the review. */
  arrivedUsdt: amount.nullable(),
  /** The value in the local currency, rounded down: of the amount sent or, after the review, of the amount that arrived. */
  amount,
  currency,
  /** The same in US dollars; null if the service had no rate for them. */
  usd: amount.nullable(),
  /** Local currency per USDT, at the time of submission. */
  rate: z.string(),
  usdRate: z.string().nullable(),
  network: z.enum(networkCodes),
  /** The service's wallet that received it. */
  address: z.string(),
  /** The transaction hash on the network. */
  transactionId: z.string(),
  rejectReason: z.string().nullable(),
  createdAt: instant,
  reviewedAt: instant.nullable(),
  /** When it was credited. */
  paidAt: instant.nullable(),
});
export type TopupRow = z.output<typeof topupRow>;

export const topupQuery = listQuery({
  trade_no: numberFilter,
  status: oneOrMore(topupStatuses),
  coin: oneOrMore(topupCoins),
  network: textFilter,
  transactionId: textFilter,
  amountFrom: amountInput.optional(),
  amountTo: amountInput.optional(),
  createdFrom: instant.optional(),
  createdTo: instant.optional(),
});
export type TopupQuery = z.output<typeof topupQuery>;

/** Where USDT can be sent now, and the exchange rates. */
export const topupOptions = z.object({
  currency,
  /** Local currency per USDT. */
  rate: z.string(),
  rateAt: instant,
  usdRate: z.string().nullable(),
  wallets: z.array(z.object({ network: z.enum(networkCodes), address: z.string(), minimumUsdt: amount })),
});
export type TopupOptions = z.output<typeof topupOptions>;

/** Body of a top-up. */
export const applyTopup = z
  .strictObject({
    coin: z.enum(topupCoins, phrase('validation.currency')),
    amount: z
      .string(phrase('validation.topupAmountRequired'))
      .min(1, phrase('validation.topupAmountRequired'))
      .pipe(amountInput),
    network: z.enum(networkCodes, phrase('validation.networkRequired')),
    /** The wallet that received it, as the service showed it. */
    address: z
      .string(phrase('validation.addressRequired'))
      .min(1, phrase('validation.addressRequired'))
      .max(128),
    transactionId: z
      .string(phrase('validation.transactionIdRequired'))
      .trim()
      .min(1, phrase('validation.transactionIdRequired'))
      .max(128, phrase('validation.transactionId')),
    /** PNG or JPEG of at most 2 MiB and 16 megapixels, in Base64. */
    screenshot: z
      .string(phrase('validation.screenshotRequired'))
      .min(1, phrase('validation.screenshotRequired'))
      .max(maxImageText, phrase('validation.screenshotRequired')),
  })
  .superRefine(({ amount: text, network, transactionId }, context) => {
    if ((parseAmount(text, 'USDT') ?? 0n) <= 0n)
      context.addIssue({ code: 'custom', path: ['amount'], message: phrase('validation.amount') });
    if (!isTransactionOf(network, transactionId))
      context.addIssue({
        code: 'custom',
        path: ['transactionId'],
        message: phrase('validation.transactionId'),
      });
  });
export type ApplyTopup = z.output<typeof applyTopup>;

const envelopeBytes = 16 * 1024;
const oneTopup = z.object({ trade_no: z.string().max(64) });

export const topupEndpoints = {
  options: endpoint({
    method: 'GET',
    path: '/api/merchant/topup-options',
    summary:
      'Returns the deposit wallets and exchange rates for top-ups; null while top-ups are unavailable.',
    access: 'session',
    perm: 'topups.create',
    status: 200,
    reply: z.object({ data: topupOptions.nullable() }),
    errors: [],
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/merchant/topups',
    summary: 'Lists top-ups, newest first. Ranges include the start and exclude the end.',
    access: 'session',
    perm: 'topups.read',
    query: topupQuery,
    status: 200,
    reply: listReply(topupRow),
    errors: [],
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/merchant/topups/:trade_no',
    summary: 'Returns a top-up.',
    access: 'session',
    perm: 'topups.read',
    params: oneTopup,
    status: 200,
    reply: z.object({ data: topupRow }),
    errors: ['not_found'],
  }),
  screenshot: endpoint({
    method: 'GET',
    path: '/api/merchant/topups/:trade_no/screenshot',
    summary: 'Returns the screenshot of a top-up, in Base64.',
    access: 'session',
    perm: 'topups.read',
    params: oneTopup,
    status: 200,
    reply: z.object({ data: z.object({ type: z.enum(imageTypes), base64: z.string() }) }),
    errors: ['not_found'],
  }),
  apply: endpoint({
    method: 'POST',
    path: '/api/merchant/topups',
    summary: 'Submits a USDT transfer for review; it is credited once our support team confirms receipt.',
    access: 'session',
    perm: 'topups.create',
    isIdempotent: true,
    bodyLimitBytes: maxImageText + envelopeBytes,
    textLimitLength: maxImageText + envelopeBytes,
    body: applyTopup,
    status: 201,
    reply: z.object({ data: topupRow }),
    errors: [
      'topups_closed',
      'uploads_busy',
      'quota_reached',
      'idempotency_key_reused',
      'idempotency_in_flight',
      'merchant_suspended',
    ],
  }),
};
