import { expect, test } from 'vitest';
import { allowsCall, keyScopes } from './key-scopes.ts';

test.each([
  [['payouts'], 'POST', 'payouts', true],
  [['payouts'], 'GET', 'payouts', true],
  [['payouts'], 'GET', 'collections', false],
  [['read'], 'GET', 'payouts', true],
  [['read'], 'POST', 'payouts', false],
  [['read', 'refunds'], 'POST', 'refunds', true],
  [[], 'GET', 'balance', false],
] as const)('scopes %j allow %s of %s: %s', (scopes, method, scope, isAllowed) =>
  expect(allowsCall(scopes, { method, scope })).toBe(isAllowed),
);

test('a call without a scope accepts no key', () => {
  expect(allowsCall(keyScopes, { method: 'GET' })).toBe(false);
});
