import * as z from 'zod';
import { channelCodes } from './channels.ts';
import { endpoint } from './endpoint.ts';
import { instant } from './lists.ts';
import { amount, currency } from './money.ts';

/** Days that a slip's link works. */
export const slipDays = 30;

/** A slip of a paid payout, as whoever has its link sees it. */
export const payoutSlip = z.object({
  /** Who paid. */
  merchant: z.string(),
  trade_no: z.string(),
  amount,
  currency,
  channel: z.enum(channelCodes),
  payee: z.string(),
  /** With all but its ends hidden. */
  payeeAccount: z.string(),
  bank: z.string().nullable(),
  bankName: z.string().nullable(),
  /** The channel's own number for it. */
  bankReference: z.string().nullable(),
  remark: z.string().nullable(),
  createdAt: instant,
  paidAt: instant,
  /** The merchant's zone, which the slip's times are told in. */
  zone: z.string(),
  /** Where the slip can be checked, and until when. */
  url: z.string(),
  expiresAt: instant,
});
export type PayoutSlip = z.output<typeof payoutSlip>;

export const payoutSlipEndpoints = {
  make: endpoint({
    method: 'POST',
    path: '/api/merchant/payouts/:trade_no/slip',
    summary: 'Makes a link to the slip of a paid payout; whoever has it can check the slip for thirty days.',
    access: 'session',
    perm: 'payouts.read',
    params: z.object({ trade_no: z.string().max(64) }),
    status: 201,
    reply: z.object({ data: z.object({ url: z.string(), expiresAt: instant }) }),
    errors: ['not_found', 'invalid_transition'],
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/payout-slips/:token',
    summary: 'The slip behind a link.',
    access: 'public',
    params: z.object({ token: z.string().max(200) }),
    status: 200,
    reply: z.object({ data: payoutSlip }),
    errors: ['not_found', 'link_expired'],
  }),
};
