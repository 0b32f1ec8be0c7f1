import * as z from 'zod';
import { channelCodes } from './channels.ts';
import { payerBrand } from './checkout.ts';
import { endpoint } from './endpoint.ts';
import { languages } from './languages.ts';
import { instant } from './lists.ts';
import { amount, currency } from './money.ts';

/** The receipt of a paid collection, as anyone with its link sees it. */
export const receipt = z.object({
  /** The merchant as it appears to payers, and its registered name. */
  merchant: payerBrand,
  registeredName: z.string(),
  trade_no: z.string(),
  out_trade_no: z.string(),
  subject: z.string().nullable(),
  amount,
  currency,
  /** The sum of the refunds; zero if there was none. */
  refunded: amount,
  /** The amount without the refunds. */
  kept: amount,
  channel: z.enum(channelCodes),
  /** The channel's number of the payment. */
  bankReference: z.string().nullable(),
  createdAt: instant,
  paidAt: instant,
  /** When the last part was refunded; null unless everything was. */
  refundedAt: instant.nullable(),
  /** The merchant's time zone, in which the receipt shows times. */
  zone: z.string(),
});
export type Receipt = z.output<typeof receipt>;

/** The page that shows a receipt to anyone with its link. */
export const receiptPage = { path: '/receipt/:token', secretParams: ['token'] } as const;

const byToken = z.object({ token: z.string().regex(/^[\w-]{22,64}$/) });

export const receiptEndpoints = {
  link: endpoint({
    method: 'GET',
    path: '/api/merchant/collections/:trade_no/receipt',
    summary:
      'Returns the address of the receipt that the payer of a paid collection has; null once two years have passed since the payment.',
    access: 'session',
    perm: 'collections.read',
    params: z.object({ trade_no: z.string().max(64) }),
    status: 200,
    reply: z.object({ data: z.object({ url: z.string().nullable() }) }),
    errors: ['not_found', 'invalid_transition'],
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/receipts/:token',
    summary: 'Returns the receipt behind a link.',
    access: 'public',
    params: byToken,
    secretParams: ['token'],
    status: 200,
    reply: receipt,
    errors: ['not_found'],
  }),
  pdf: endpoint({
    method: 'GET',
    path: '/api/receipts/:token/pdf',
    summary: 'Returns the receipt behind a link as a PDF, in the language `lang`.',
    access: 'public',
    params: byToken,
    secretParams: ['token'],
    query: z.object({ lang: z.enum(languages).catch('en').default('en') }),
    isFile: true,
    status: 200,
    errors: ['not_found', 'too_many_requests'],
  }),
};
