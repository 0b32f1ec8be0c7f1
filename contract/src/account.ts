import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { instant } from './lists.ts';
import { amount, currency } from './money.ts';

/** The figures of an account: balance = available + locked; total = balance + unsettled. */
export const accountFigures = z.object({
  currency,
  available: amount,
  locked: amount,
  balance: amount,
  unsettled: amount,
  total: amount,
});
export type AccountFigures = z.output<typeof accountFigures>;

/** Orders that hold money. Beyond ten thousand orders, `count` and `amount` stop and `exact` is false. */
const part = z.object({ count: z.number().int(), exact: z.boolean(), amount });

/** The current breakdown of the figures. */
export const accountBreakdown = z.object({
  currency,
  locked: z.object({
    total: amount,
    payouts: part,
    withdrawals: part,
    /** Whether the parts add up to the ledger's figure; null if a part is not exact. */
    agrees: z.boolean().nullable(),
  }),
  unsettled: z.object({
    total: amount,
    /** Payments that wait for a batch, net of fees. */
    payments: part,
    /** Refunds of settled payments, to be deducted from the next batch. */
    refunds: part,
    /** Batches that are created and not yet settled. */
    batches: part,
    agrees: z.boolean().nullable(),
  }),
  /** The next settlement, and what it would move if nothing else were paid until then. */
  nextSettlement: z.object({ at: instant, amount }),
});
export type AccountBreakdown = z.output<typeof accountBreakdown>;

export const accountEndpoints = {
  get: endpoint({
    method: 'GET',
    path: '/api/merchant/account',
    summary: 'Returns the balance figures of the merchant’s account in its local currency.',
    access: 'session',
    perm: 'dashboard.read',
    status: 200,
    reply: z.object({ data: accountFigures }),
    errors: [],
  }),
  at: endpoint({
    method: 'GET',
    path: '/api/merchant/account/at',
    summary: 'Returns the balance figures just before an instant.',
    access: 'session',
    perm: 'funds.read',
    query: z.strictObject({ at: instant }),
    status: 200,
    reply: z.object({ data: accountFigures }),
    errors: ['too_many_requests'],
  }),
  breakdown: endpoint({
    method: 'GET',
    path: '/api/merchant/account/breakdown',
    summary: 'Returns the orders behind locked and unsettled funds, and the next settlement.',
    access: 'session',
    perm: 'funds.read',
    status: 200,
    reply: z.object({ data: accountBreakdown }),
    errors: [],
  }),
};

export const openAccountEndpoints = {
  balance: endpoint({
    method: 'GET',
    path: '/openapi/v1/balance',
    summary: 'Returns the balance figures of the merchant’s account in its local currency.',
    access: 'signed',
    scope: 'balance',
    status: 200,
    reply: accountFigures,
    errors: [],
  }),
};
