import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { amountInput } from './money.ts';

/** Test funds that one call can add at most, in whole units of the currency. */
export const maxTestFunds = '1000000000';
/** Calls for test funds within an hour, for all test merchants of a live one. */
export const testFundsPerHour = 60;

/** Test mode: the switch between a merchant and its test merchant, test funds, and wiping the test data. */
export const testModeEndpoints = {
  set: endpoint({
    method: 'PUT',
    path: '/api/merchant/test-mode',
    summary:
      'Makes the session work for the test merchant, which is opened on first use, or for the live merchant again. Pages of the other mode are refused from then on.',
    access: 'session',
    body: z.object({ isOn: z.boolean() }),
    status: 204,
    errors: ['merchant_suspended', 'test_mode_unavailable'],
  }),
  addFunds: endpoint({
    method: 'POST',
    path: '/api/merchant/test-mode/funds',
    summary: 'Adds test funds to the available funds of the test merchant. They are worth nothing.',
    access: 'session',
    perm: 'access.manage',
    mode: 'test',
    body: z.object({ amount: amountInput }),
    status: 204,
    errors: ['too_many_attempts', 'merchant_suspended'],
  }),
  wipe: endpoint({
    method: 'DELETE',
    path: '/api/merchant/test-mode/data',
    summary:
      'Retires the test merchant with its keys, orders and funds, and opens an empty one, for which the sessions of all its people work from then on.',
    access: 'session',
    perm: 'access.manage',
    mode: 'test',
    isPasswordConfirmed: true,
    status: 204,
    errors: ['quota_reached', 'conflict'],
  }),
};
