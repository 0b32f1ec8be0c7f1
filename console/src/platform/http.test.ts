import { collectionEndpoints } from '@hengfu/contract/collections';
import { sessionEndpoints } from '@hengfu/contract/session';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from './api-error.ts';
import { call, urlOf } from './http.ts';

const fetched = vi.fn<typeof fetch>();

beforeEach(() => {
  fetched.mockReset();
  vi.stubGlobal('fetch', fetched);
  vi.stubGlobal('document', { cookie: 'language=en; XSRF-TOKEN=a%3Db' });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

function json(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers });
}

function sent(at = 0): { url: string; headers: Headers; body: unknown } {
  const [url, init] = fetched.mock.calls[at] ?? [];
  return { url: String(url), headers: new Headers(init?.headers), body: init?.body };
}

const form = { email: 'a@b.test', password: 'x' };

test('a path’s parameters are encoded, an empty query value is left out', () => {
  expect(urlOf(collectionEndpoints.get, { params: { trade_no: 'a/b?c' } })).toBe(
    '/api/merchant/collections/a%2Fb%3Fc',
  );
  expect(urlOf(collectionEndpoints.list, { query: { status: 'paid,success', trade_no: '' } })).toBe(
    '/api/merchant/collections?status=paid%2Csuccess',
  );
});

test('a write carries the decoded token of the cookie, a read does not', async () => {
  fetched.mockResolvedValueOnce(json(200, { two_factor: false }));
  expect(await call(sessionEndpoints.login, { body: form })).toEqual({ two_factor: false });
  expect(sent().headers.get('X-XSRF-TOKEN')).toBe('a=b');
  expect(sent().body).toBe(JSON.stringify(form));

  fetched.mockResolvedValueOnce(json(500, {}));
  await call(sessionEndpoints.user).catch(() => undefined);
  expect(sent(1).headers.has('X-XSRF-TOKEN')).toBe(false);
});

test('without a token one is asked for first', async () => {
  vi.stubGlobal('document', { cookie: '' });
  fetched.mockResolvedValueOnce(new Response(null, { status: 204 }));
  fetched.mockResolvedValueOnce(json(200, { two_factor: false }));
  await call(sessionEndpoints.login, { body: form });
  expect([sent(0).url, sent(1).url]).toEqual(['/api/csrf-cookie', '/api/login']);
});

test('an error reply becomes an ApiError with the server’s words', async () => {
  const body = { message: 'No.', code: 'validation_failed', request_id: 'r1', errors: { email: ['No.'] } };
  fetched.mockResolvedValueOnce(json(422, body, { 'Retry-After': '7' }));
  const error = await call(sessionEndpoints.login, { body: form }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({
    status: 422,
    code: 'validation_failed',
    message: 'No.',
    fieldErrors: { email: ['No.'] },
    requestId: 'r1',
    retryAfterSeconds: 7,
  });
});

test('a page that a proxy answers instead is an error of the same status', async () => {
  fetched.mockResolvedValueOnce(new Response('<html>bad gateway</html>', { status: 502 }));
  await expect(call(sessionEndpoints.user)).rejects.toMatchObject({ status: 502, code: 'unavailable' });
});

test('a reply that the contract does not know is refused', async () => {
  fetched.mockResolvedValueOnce(json(200, { data: { name: 'nobody' } }));
  await expect(call(sessionEndpoints.user)).rejects.toMatchObject({ code: 'unreadable_reply' });
});

test('no connection is an ApiError; a call that its caller gave up is that caller’s abort', async () => {
  fetched.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  await expect(call(sessionEndpoints.user)).rejects.toMatchObject({ status: 0, code: 'network' });

  const aborted = AbortSignal.abort();
  fetched.mockRejectedValueOnce(aborted.reason);
  await expect(call(sessionEndpoints.user, { signal: aborted })).rejects.toBe(aborted.reason);
});

test('what an endpoint needs is asked for by the compiler', () => {
  const never = async () => {
    // @ts-expect-error the body is missing
    await call(sessionEndpoints.login);
    // @ts-expect-error the parameter is missing
    await call(collectionEndpoints.get, {});
    // @ts-expect-error a filter that does not exist
    await call(collectionEndpoints.list, { query: { colour: 'red' } });
    // @ts-expect-error a logout has no body
    await call(sessionEndpoints.logout, { body: {} });
    const { data } = await call(collectionEndpoints.list, { query: { limit: '50' } });
    // @ts-expect-error a row has no such field
    return data[0]?.colour;
  };
  expect(never).toBeTypeOf('function');
});

/** An answer whose head came, and half of its body. */
function half(fault: Error): Response {
  const body = new ReadableStream({
    start: (stream) => stream.enqueue(new TextEncoder().encode('{"two_')),
    pull: (stream) => stream.error(fault),
  });
  return new Response(body, { status: 200 });
}

test.each([
  ['breaks off', new TypeError('network error'), 'network'],
  ['stops for fifty seconds', new DOMException('timed out', 'TimeoutError'), 'timeout'],
])('an answer that %s in its middle is as if none had come', async (_name, fault, code) => {
  fetched.mockResolvedValueOnce(half(fault));
  const error = await call(sessionEndpoints.login, { body: form }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ status: 0, code, isOffline: true });
});
