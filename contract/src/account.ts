import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { amount, currency } from './money.ts';

/** The four figures of an account and what they are made of. balance = available + locked; total = balance + unsettled. */
export const accountFigures = z.object({
  currency,
  available: amount,
  locked: amount,
  balance: amount,
  unsettled: amount,
  total: amount,
});
export type AccountFigures = z.output<typeof accountFigures>;

export const accountEndpoints = {
  get: endpoint({
    method: 'GET',
    path: '/api/merchant/account',
    summary: 'The figures of the merchant’s account in its home currency.',
    access: 'session',
    perm: 'dashboard.read',
    status: 200,
    reply: z.object({ data: accountFigures }),
    errors: [],
  }),
};

export const openAccountEndpoints = {
  balance: endpoint({
    method: 'GET',
    path: '/openapi/v1/balance',
    summary: 'The figures of the merchant’s account in its home currency.',
    access: 'signed',
    status: 200,
    reply: accountFigures,
    errors: [],
  }),
};
