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

test('finds endpoints that are exported directly or in a record', () => {
  const exports = { alone: good, group: { list: good, get: good }, schema: { shape: {} }, count: 3 };
  expect(findEndpoints(exports)).toEqual([good, good, good]);
});

test('accepts a valid endpoint', () => {
  expect(checkEndpoints([good], ['not_found'])).toEqual([]);
});

test('rejects a signed call without a scope', () => {
  const signed = { ...good, path: '/openapi/v1/payouts/:trade_no', access: 'signed', perm: undefined };
  expect(checkEndpoints([signed], ['not_found'])).toEqual([
    'GET /openapi/v1/payouts/:trade_no: signed calls, and only they, name the scope that a key needs',
  ]);
  expect(checkEndpoints([{ ...signed, scope: 'payouts' }], ['not_found'])).toEqual([]);
});

test('rejects a duplicate route, even if its parameter has another name', () => {
  const duplicate = { ...good, path: '/api/merchant/payouts/:id', params: { shape: { id: {} } } };
  expect(checkEndpoints([good, duplicate], ['not_found'])).toEqual([
    'GET /api/merchant/payouts/:id: declared twice',
  ]);
});

test.each([
  [{ summary: '' }, 'not a sentence'],
  [{ summary: 'no sentence' }, 'not a sentence'],
  [{ params: undefined }, 'params has ()'],
  [{ access: 'signed', perm: undefined, scope: 'payouts' }, 'start with /openapi/'],
  [{ scope: 'payouts' }, 'name the scope that a key needs'],
  [{ access: 'public' }, 'a permission needs access: session'],
  [{ status: 204 }, '204 and files must not'],
  [{ reply: undefined }, '200 and 201 need a reply'],
  [{ errors: ['no_such_code'] }, 'does not define: no_such_code'],
  [{ errors: ['not_found', 'not_found'] }, 'listed twice'],
])('rejects %o', (change, problem) => {
  expect(checkEndpoints([{ ...good, ...change }], ['not_found'])).toEqual([expect.stringContaining(problem)]);
});
