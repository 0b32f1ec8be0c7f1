import * as z from 'zod';
import { collectionRefusals } from './channels.ts';
import { payerBrand } from './checkout.ts';
import { collectionStatuses } from './collections.ts';
import { endpoint } from './endpoint.ts';
import { instant } from './lists.ts';
import { amount, currency } from './money.ts';

/** A channel that the payer can choose. */
const cashierChannel = z.object({ code: z.string(), name: z.string() });

/** An order as its payer sees it, without the merchant's own records. */
/** The return of a late payment: `inProgress`, or `failed` if nobody makes it any more by itself. */
export const lateReturns = ['inProgress', 'failed'] as const;
export type LateReturn = (typeof lateReturns)[number];

export const cashierOrder = z.object({
  /** The merchant's name, color and logo, as it appears to payers. */
  merchant: payerBrand.shape.name,
  color: payerBrand.shape.color,
  logo: payerBrand.shape.logo,
  registeredName: payerBrand.shape.registeredName,
  subject: z.string().nullable(),
  trade_no: z.string(),
  amount,
  /** The sum that was given back; zero if nothing was. */
  refunded: amount,
  currency,
  status: z.enum(collectionStatuses),
  /** For an order that was paid after the uses of its payment link had run out, until its money has gone back in full; null for all others. */
  lateReturn: z.enum(lateReturns).nullable(),
  expiresAt: instant,
  /** The server's clock, so that the countdown is right on a phone whose clock is not. */
  now: instant,
  channels: z.array(cashierChannel),
  /** Set once a channel is chosen: where to pay, and the content of its QR code. */
  payment: z.object({ channel: z.string(), payUrl: z.string(), qrContent: z.string().nullable() }).nullable(),
  /** Path of the receipt of a paid order, for two years after the payment. */
  receipt: z.string().nullable(),
  /** The merchant's page to return to. */
  returnUrl: z.string().nullable(),
  /** Why the channel refused; never its own wording, which is not for payers. */
  failureReason: z.enum(collectionRefusals).nullable(),
});
export type CashierOrder = z.output<typeof cashierOrder>;

/** The page where a payer pays; anyone with the link may. */
export const cashierPage = { path: '/pay/:token', secretParams: ['token'] } as const;

const byToken = z.object({ token: z.string().regex(/^[\w-]{22,64}$/) });

export const cashierEndpoints = {
  get: endpoint({
    method: 'GET',
    path: '/api/cashier/:token',
    summary: 'Returns the order behind a checkout link.',
    access: 'public',
    params: byToken,
    secretParams: ['token'],
    status: 200,
    reply: cashierOrder,
    errors: ['not_found'],
  }),
  pay: endpoint({
    method: 'POST',
    path: '/api/cashier/:token/pay',
    summary: 'Chooses a channel and starts the payment on it.',
    access: 'public',
    crossSite: true,
    params: byToken,
    secretParams: ['token'],
    body: z.strictObject({ channel: z.string().max(32) }),
    status: 200,
    reply: cashierOrder,
    errors: ['not_found', 'order_not_payable', 'channel_closed', 'channel_unavailable'],
  }),
};
