import { ApiError, type ApiErrorDetails } from '@hengfu/client/api-error.ts';
import type { CurrentUser } from '@hengfu/contract/session';
import { beforeEach, expect, test } from 'vitest';
import { resetSession, setSessionUser } from '../../platform/session-store.ts';
import { keyFor, sendWithKey } from './open-keys.ts';

const user = (id: string, code = 'north') => ({ id, merchant: { code } }) as CurrentUser;
const failure = (status: number, code: ApiErrorDetails['code']) => async () => {
  throw new ApiError({ status, code, message: '' });
};

beforeEach(() => {
  resetSession();
  keyFor('');
  setSessionUser(user('1'));
});

test.each([
  [0, 'network'],
  [0, 'timeout'],
  [503, 'unavailable'],
  [500, 'internal'],
  [409, 'idempotency_in_flight'],
  [422, 'idempotency_key_reused'],
] as const)('a payment after %i %s is repeated under its key, another one is not', async (status, code) => {
  const key = keyFor('one');
  await expect(sendWithKey('one', key, failure(status, code))).rejects.toThrow(ApiError);
  expect(keyFor('one')).toBe(key);
  expect(keyFor('two')).not.toBe(key);
});

test('a refused repetition leaves the outcome of the attempt before unknown', async () => {
  const key = keyFor('one');
  await expect(sendWithKey('one', key, failure(0, 'timeout'))).rejects.toThrow(ApiError);
  await expect(sendWithKey('one', key, failure(422, 'validation_failed'))).rejects.toThrow(ApiError);
  expect(keyFor('one')).toBe(key);
});

test('a payment that was made or refused is a new one the next time', async () => {
  const key = keyFor('one');
  await sendWithKey('one', key, async () => 'made');
  expect(keyFor('one')).not.toBe(key);
  const other = keyFor('two');
  await expect(sendWithKey('two', other, failure(422, 'validation_failed'))).rejects.toThrow(ApiError);
  expect(keyFor('two')).not.toBe(other);
});

test.each([
  ['user', user('2')],
  ['merchant', user('1', 'south')],
])('no key passes to another %s', async (_name, other) => {
  const key = keyFor('one');
  await expect(sendWithKey('one', key, failure(0, 'network'))).rejects.toThrow(ApiError);
  setSessionUser(other);
  expect(keyFor('one')).not.toBe(key);
});
