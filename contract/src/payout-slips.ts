import * as z from 'zod';
import { channelCodes } from './channels.ts';
import { endpoint } from './endpoint.ts';
import { instant } from './lists.ts';
import { amount, currency } from './money.ts';

/** Days for which a slip's link is valid. */
export const slipDays = 30;

/** A slip of a paid payout, as anyone with its link sees it. */
export const payoutSlip = z.object({
  /** The paying merchant. */
  merchant: z.string(),
  trade_no: z.string(),
  amount,
  currency,
  channel: z.enum(channelCodes),
  payee: z.string(),
  /** Masked except for both ends. */
  payeeAccount: z.string(),
  bank: z.string().nullable(),
  bankName: z.string().nullable(),
  /** The channel's own reference number. */
  bankReference: z.string().nullable(),
  remark: z.string().nullable(),
  createdAt: instant,
  paidAt: instant,
  /** The merchant's time zone, in which the slip shows times. */
  zone: z.string(),
  /** Where the slip can be verified, and until when. */
  url: z.string(),
  expiresAt: instant,
});
export type PayoutSlip = z.output<typeof payoutSlip>;

/** The page that shows a slip to anyone with its link. */
export const payoutSlipPage = { path: '/slip/:token', secretParams: ['token'] } as const;

const byTradeNo = z.object({ trade_no: z.string().max(64) });

export const payoutSlipEndpoints = {
  make: endpoint({
    method: 'POST',
    path: '/api/merchant/payouts/:trade_no/slip',
    summary:
      'Creates a link to the payment receipt of a paid payout; anyone with the link can verify the receipt for 30 days.',
    access: 'session',
    perm: 'payouts.share',
    params: byTradeNo,
    status: 201,
    reply: z.object({ data: z.object({ url: z.string(), expiresAt: instant }) }),
    errors: ['not_found', 'invalid_transition'],
  }),
  revoke: endpoint({
    method: 'DELETE',
    path: '/api/merchant/payouts/:trade_no/slip',
    summary: 'Revokes every link created so far to the payment receipt of a payout.',
    access: 'session',
    perm: 'payouts.share',
    params: byTradeNo,
    status: 204,
    errors: ['not_found'],
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/payout-slips/:token',
    summary: 'Returns the payment receipt behind a link.',
    access: 'public',
    params: z.object({ token: z.string().max(200) }),
    secretParams: ['token'],
    status: 200,
    reply: z.object({ data: payoutSlip }),
    errors: ['not_found', 'link_expired', 'link_revoked'],
  }),
};
