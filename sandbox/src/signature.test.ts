import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { isFresh, matchesSignature, signCallback, signRequest } from './signature.ts';
import { call, startTestSandbox, testSecret } from './test-support.ts';

// SHA-256 of the empty string (FIPS 180-4), written out so that the test does not repeat the code.
const emptyHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

test('a request is signed over its method, path with query, timestamp and body hash', () => {
  const expected = createHmac('sha256', 'k').update(`GET\n/v1/x?a=1\n1700000000\n${emptyHash}`).digest('hex');
  expect(signRequest('k', { method: 'GET', path: '/v1/x?a=1', timestamp: '1700000000', body: '' })).toBe(
    expected,
  );
});

test('a callback is signed over its timestamp and raw body', () => {
  const expected = createHmac('sha256', 'k').update('1700000000\n{"a":1}').digest('hex');
  expect(signCallback('k', '1700000000', '{"a":1}')).toBe(expected);
});

test('only the exact signature matches', () => {
  const signature = signCallback('k', '1', 'body');
  expect(matchesSignature(signature, signature)).toBe(true);
  expect(matchesSignature(signature, signCallback('other', '1', 'body'))).toBe(false);
  expect(matchesSignature(signature, signature.slice(2))).toBe(false);
  expect(matchesSignature(signature, 'é'.repeat(64))).toBe(false);
});

test.each([
  ['1700000000', true],
  ['1699999700', true],
  ['1700000300', true],
  ['1699999699', false],
  ['1700000301', false],
  ['1700000000.0', false],
  ['-1', false],
  ['', false],
])('at 1700000000 the timestamp %j is fresh: %s', (timestamp, expected) => {
  expect(isFresh(timestamp, 1_700_000_000_000)).toBe(expected);
});

type Attempt = { path?: string; timestamp?: string; secret?: string; sentBody?: string; signature?: string };

async function attempt(
  url: string,
  { path, timestamp, secret, sentBody, signature }: Attempt,
): Promise<number> {
  const now = timestamp ?? String(Math.floor(Date.now() / 1000));
  const signed = { method: 'POST', path: path ?? '/v1/collections', timestamp: now, body: '{}' };
  const response = await fetch(`${url}/v1/collections`, {
    method: 'POST',
    body: sentBody ?? '{}',
    headers: {
      'content-type': 'application/json',
      'x-bank-timestamp': now,
      'x-bank-signature': signature ?? signRequest(secret ?? testSecret, signed),
    },
  });
  return response.status;
}

test('refuses a call whose secret, path, body or timestamp does not match its signature', async () => {
  const { url } = await startTestSandbox();
  expect(await attempt(url, {})).toBe(422);
  expect(await attempt(url, { secret: 'another secret' })).toBe(401);
  expect(await attempt(url, { path: '/v1/refunds' })).toBe(401);
  expect(await attempt(url, { sentBody: '{ }' })).toBe(401);
  expect(await attempt(url, { timestamp: String(Math.floor(Date.now() / 1000) - 400) })).toBe(401);
  expect(await attempt(url, { signature: 'nonsense' })).toBe(401);
});

test('returns 401 without a signature for every path under /v1, even an unknown one', async () => {
  const sandbox = await startTestSandbox();
  for (const path of ['/v1/collections/x', '/v1/refunds/x', '/v1/control', '/v1/nothing']) {
    expect((await fetch(sandbox.url + path)).status).toBe(401);
  }
  expect((await call(sandbox, 'GET', '/v1/nothing')).status).toBe(404);
});
