import * as z from 'zod';
import { collectionStatuses } from './collections.ts';
import { endpoint } from './endpoint.ts';
import { instant } from './lists.ts';
import { amount, currency } from './money.ts';

/** A way to pay that the payer can choose. */
const cashierChannel = z.object({ code: z.string(), name: z.string() });

/** What a payer sees of an order: nothing of the merchant's own records. */
export const cashierOrder = z.object({
  merchant: z.string(),
  subject: z.string().nullable(),
  trade_no: z.string(),
  amount,
  currency,
  status: z.enum(collectionStatuses),
  expiresAt: instant,
  /** The server's clock, so that the countdown is right on a phone whose clock is not. */
  now: instant,
  channels: z.array(cashierChannel),
  /** Set once a channel was chosen: where to pay, and what its QR code says. */
  payment: z.object({ channel: z.string(), payUrl: z.string(), qrContent: z.string().nullable() }).nullable(),
  /** The shop's page to go back to. */
  returnUrl: z.string().nullable(),
  /** The channel's words when it refused. */
  failureReason: z.string().nullable(),
});
export type CashierOrder = z.output<typeof cashierOrder>;

const byToken = z.object({ token: z.string().regex(/^[\w-]{22,64}$/) });

export const cashierEndpoints = {
  get: endpoint({
    method: 'GET',
    path: '/api/cashier/:token',
    summary: 'The order behind a cashier link.',
    access: 'public',
    params: byToken,
    status: 200,
    reply: cashierOrder,
    errors: ['not_found'],
  }),
  pay: endpoint({
    method: 'POST',
    path: '/api/cashier/:token/pay',
    summary: 'Chooses a channel and starts the payment there.',
    access: 'public',
    crossSite: true,
    params: byToken,
    body: z.strictObject({ channel: z.string().max(32) }),
    status: 200,
    reply: cashierOrder,
    errors: ['not_found', 'order_not_payable', 'channel_closed', 'channel_unavailable'],
  }),
};
