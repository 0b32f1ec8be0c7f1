import { expect, test } from 'vitest';
import { checkEndpoints, findEndpoints } from './contract.ts';

const good = {
  method: 'GET',
  path: '/api/merchant/payouts/:trade_no',
  summary: 'One payout.',
  access: 'session',
  perm: 'payouts.read',
  params: { shape: { trade_no: {} } },
  status: 200,
  reply: {},
  errors: ['not_found'],
};

test('endpoints are found alone and in records', () => {
  const exports = { alone: good, group: { list: good, get: good }, schema: { shape: {} }, count: 3 };
  expect(findEndpoints(exports)).toEqual([good, good, good]);
});

test('a good endpoint has no fault', () => {
  expect(checkEndpoints([good], ['not_found'])).toEqual([]);
});

test('the same route twice is told, whatever its parameter is called', () => {
  const twin = { ...good, path: '/api/merchant/payouts/:id', params: { shape: { id: {} } } };
  expect(checkEndpoints([good, twin], ['not_found'])).toEqual([
    'GET /api/merchant/payouts/:id: declared twice',
  ]);
});

test.each([
  [{ summary: '' }, 'not a sentence'],
  [{ summary: 'no sentence' }, 'not a sentence'],
  [{ params: undefined }, 'params has ()'],
  [{ access: 'signed', perm: undefined }, 'under /openapi/'],
  [{ access: 'public' }, 'a permission needs access: session'],
  [{ status: 204 }, 'none with 204'],
  [{ reply: undefined }, 'a reply goes with 200'],
  [{ errors: ['no_such_code'] }, 'does not have: no_such_code'],
  [{ errors: ['not_found', 'not_found'] }, 'named twice'],
])('%o is told', (change, problem) => {
  expect(checkEndpoints([{ ...good, ...change }], ['not_found'])).toEqual([expect.stringContaining(problem)]);
});
