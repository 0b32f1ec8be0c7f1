import { ApiError } from '@hengfu/client/api-error.ts';
import { urlOf } from '@hengfu/client/request.ts';
import { collectionEndpoints } from '@hengfu/contract/collections';
import { exportEndpoints } from '@hengfu/contract/exports';
import { type CurrentUser, sessionEndpoints } from '@hengfu/contract/session';
import { totalEndpoints } from '@hengfu/contract/totals';
import { workplaceEndpoints } from '@hengfu/contract/workplaces';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { messageOf } from './failures.ts';
import { sessionGate } from './gates.ts';
import { call, callLines, linkTo } from './http.ts';
import { resetSession, setSessionUser } from './session-store.ts';
import { useSwitched } from './switched-away.ts';

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
const person: Omit<CurrentUser, 'merchant'> = {
  id: '1',
  name: 'A',
  email: 'a@b.test',
  roles: ['MERCHANT_ADMIN'],
  perms: [],
  twoFactor: 'off',
  factors: [],
  zone: 'UTC',
  language: null,
  hasOtherMerchants: true,
};

test('encodes path parameters and omits empty query values', () => {
  expect(urlOf(collectionEndpoints.get, { params: { trade_no: 'a/b?c' } })).toBe(
    '/api/merchant/collections/a%2Fb%3Fc',
  );
  expect(urlOf(collectionEndpoints.list, { query: { status: 'paid,success', trade_no: '' } })).toBe(
    '/api/merchant/collections?status=paid%2Csuccess',
  );
});

test('sends the decoded XSRF token of the cookie with writes, not with reads', async () => {
  fetched.mockResolvedValueOnce(json(200, { two_factor: false }));
  expect(await call(sessionEndpoints.login, { body: form })).toEqual({ two_factor: false });
  expect(sent().headers.get('X-XSRF-TOKEN')).toBe('a=b');
  expect(sent().body).toBe(JSON.stringify(form));

  fetched.mockResolvedValueOnce(json(500, {}));
  await call(sessionEndpoints.user).catch(() => undefined);
  expect(sent(1).headers.has('X-XSRF-TOKEN')).toBe(false);
});

test('names the merchant that the page was rendered for, and notes that the person has switched away', async () => {
  const merchant = { code: 'north', name: 'North', currency: 'CNY', zone: 'UTC', mode: 'live' } as const;
  setSessionUser({ ...person, merchant });
  fetched.mockResolvedValueOnce(json(409, { message: 'No.', code: 'merchant_switched', request_id: 'r1' }));
  await expect(call(sessionEndpoints.user)).rejects.toMatchObject({ code: 'merchant_switched' });
  expect(sent().headers.get('X-Merchant')).toBe('north');
  expect(useSwitched.getState().isSwitched).toBe(true);
  expect(linkTo(exportEndpoints.file, { params: { export_no: 'E1' } })).toBe(
    '/api/merchant/exports/E1/file?merchant=north',
  );

  fetched.mockResolvedValueOnce(json(200, { two_factor: false }));
  await call(sessionEndpoints.login, { body: form });
  expect(sent(1).headers.has('X-Merchant')).toBe(false);

  resetSession();
  fetched.mockResolvedValueOnce(json(500, {}));
  await call(sessionEndpoints.user).catch(() => undefined);
  expect(sent(2).headers.has('X-Merchant')).toBe(false);
});

test('a call that was refused because another tab has just switched merchants is repeated with the new session', async () => {
  const merchant = { code: 'north', name: 'North', currency: 'CNY', zone: 'UTC', mode: 'live' } as const;
  setSessionUser({ ...person, merchant });
  fetched.mockResolvedValueOnce(json(401, { message: 'Ended.', code: 'unauthenticated', request_id: 'r1' }));
  fetched.mockResolvedValueOnce(json(409, { message: 'No.', code: 'merchant_switched', request_id: 'r2' }));
  const answer = call(sessionEndpoints.user);
  setTimeout(() => vi.stubGlobal('document', { cookie: 'XSRF-TOKEN=new' }), 100);
  await expect(answer).rejects.toMatchObject({ code: 'merchant_switched' });
  expect(fetched).toHaveBeenCalledTimes(2);
  resetSession();
});

test('calls wait while the user signs in again, and one that got in between is repeated', async () => {
  const close = sessionGate.register();
  const choiceRequired = { message: 'Choose.', code: 'merchant_choice_required', request_id: 'r1' };
  let answerEarly = (_: Response) => {};
  fetched.mockReturnValueOnce(new Promise((resolve) => (answerEarly = resolve)));
  const early = call(workplaceEndpoints.list);
  fetched.mockResolvedValueOnce(json(401, { message: 'Ended.', code: 'unauthenticated', request_id: 'r2' }));
  const refused = call(workplaceEndpoints.list);
  await vi.waitFor(() => expect(sessionGate.store.getState().answer).toBeDefined());
  const late = call(workplaceEndpoints.list);
  answerEarly(json(403, choiceRequired));
  fetched.mockResolvedValueOnce(json(403, choiceRequired));
  const own = call(sessionEndpoints.user, { throwsIfSignedOut: true });
  await expect(own).rejects.toMatchObject({ code: 'merchant_choice_required' });
  expect(fetched).toHaveBeenCalledTimes(3);

  fetched.mockImplementation(async () => json(200, { data: [] }));
  sessionGate.store.getState().answer?.(true);
  expect(await Promise.all([early, refused, late])).toEqual([{ data: [] }, { data: [] }, { data: [] }]);
  expect(fetched).toHaveBeenCalledTimes(6);
  close();
});

test('a session without a merchant is an error for a page that is not signing in again', async () => {
  const close = sessionGate.register();
  fetched.mockResolvedValueOnce(
    json(403, { message: 'Choose.', code: 'merchant_choice_required', request_id: 'r1' }),
  );
  await expect(call(workplaceEndpoints.list)).rejects.toMatchObject({ code: 'merchant_choice_required' });
  close();
});

test('requests an XSRF token first if there is none', async () => {
  vi.stubGlobal('document', { cookie: '' });
  fetched.mockResolvedValueOnce(new Response(null, { status: 204 }));
  fetched.mockResolvedValueOnce(json(200, { two_factor: false }));
  await call(sessionEndpoints.login, { body: form });
  expect([sent(0).url, sent(1).url]).toEqual(['/api/csrf-cookie', '/api/login']);
});

test('turns an error reply into an ApiError with the server’s message', async () => {
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

test.each([400, 404, 409, 422, 429, 500, 503, 599])(
  'shows the message of a reply of %i without a code',
  async (status) => {
    fetched.mockResolvedValueOnce(json(status, { message: 'The bank is closed today.' }));
    const error = await call(sessionEndpoints.user).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ status, message: 'The bank is closed today.' });
    expect(error instanceof ApiError && messageOf(error)).toBe('The bank is closed today.');
  },
);

test('reads the errors of fields in a reply without a code', async () => {
  fetched.mockResolvedValueOnce(json(422, { message: 'No.', errors: { email: ['Not here.'] } }));
  await expect(call(sessionEndpoints.user)).rejects.toMatchObject({
    code: 'validation_failed',
    fieldErrors: { email: ['Not here.'] },
  });
});

test.each([{ message: 7 }, { message: 'x', errors: 'y' }, [], 'text', null])(
  'survives an error reply of another shape: %j',
  async (body) => {
    fetched.mockResolvedValueOnce(json(500, body));
    await expect(call(sessionEndpoints.user)).rejects.toMatchObject({ status: 500, fieldErrors: {} });
  },
);

test('keeps the status of an HTML error page sent by a proxy', async () => {
  fetched.mockResolvedValueOnce(new Response('<html>bad gateway</html>', { status: 502 }));
  await expect(call(sessionEndpoints.user)).rejects.toMatchObject({ status: 502, code: 'unavailable' });
});

test('rejects a reply that does not match the contract', async () => {
  fetched.mockResolvedValueOnce(json(200, { data: { name: 'nobody' } }));
  await expect(call(sessionEndpoints.user)).rejects.toMatchObject({ code: 'unreadable_reply' });
});

test('throws an ApiError without a connection, and the caller’s own abort error after an abort', async () => {
  fetched.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  await expect(call(sessionEndpoints.user)).rejects.toMatchObject({ status: 0, code: 'network' });

  const aborted = AbortSignal.abort();
  fetched.mockRejectedValueOnce(aborted.reason);
  await expect(call(sessionEndpoints.user, { signal: aborted })).rejects.toBe(aborted.reason);
});

test('checks an endpoint’s input at compile time', () => {
  const never = async () => {
    // @ts-expect-error the body is missing
    await call(sessionEndpoints.login);
    // @ts-expect-error the parameter is missing
    await call(collectionEndpoints.get, {});
    // @ts-expect-error no such filter
    await call(collectionEndpoints.list, { query: { colour: 'red' } });
    // @ts-expect-error a logout has no body
    await call(sessionEndpoints.logout, { body: {} });
    const { data } = await call(collectionEndpoints.list, { query: { limit: '50' } });
    // @ts-expect-error a row has no such field
    return data[0]?.colour;
  };
  expect(never).toBeTypeOf('function');
});

/** A reply that fails after its head and half of its body. */
function truncatedReply(fault: Error): Response {
  const body = new ReadableStream({
    start: (stream) => stream.enqueue(new TextEncoder().encode('{"two_')),
    pull: (stream) => stream.error(fault),
  });
  return new Response(body, { status: 200 });
}

test.each([
  ['breaks off', new TypeError('network error'), 'network'],
  ['stalls for fifty seconds', new DOMException('timed out', 'TimeoutError'), 'timeout'],
])('treats a reply that %s halfway like no reply', async (_name, fault, code) => {
  fetched.mockResolvedValueOnce(truncatedReply(fault));
  const error = await call(sessionEndpoints.login, { body: form }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ status: 0, code, isOffline: true });
});

const counting = { body: { list: 'payouts', filters: {} } } as const;
const totals = { data: { count: 2, at: '2026-01-01T00:00:00Z' } };

/** A reply whose body arrives in these pieces; the last one may be an error. */
function inPieces(...pieces: (string | Error)[]): Response {
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = pieces.shift();
      if (piece === undefined) controller.close();
      else if (piece instanceof Error) controller.error(piece);
      else controller.enqueue(new TextEncoder().encode(piece));
    },
  });
  return new Response(body, { status: 200 });
}

test('passes on each line of a reply as it arrives, however the lines are cut, and returns the last', async () => {
  fetched.mockResolvedValueOnce(
    inPieces('{"cou', 'nted":1}\n{"counted":2}\n', `${JSON.stringify(totals)}\n`),
  );
  const lines: unknown[] = [];
  expect(await callLines(totalEndpoints.count, counting, (line) => lines.push(line))).toEqual(totals);
  expect(lines).toEqual([{ counted: 1 }, { counted: 2 }, totals]);
});

test.each([
  ['breaks off', inPieces('{"counted":1}\n', new TypeError('terminated')), 'network'],
  ['does not match the contract', inPieces('{"counted":"many"}\n'), 'unreadable_reply'],
  ['is empty', inPieces(), 'unreadable_reply'],
  [
    'is refused',
    json(429, { message: 'busy', code: 'too_many_requests', request_id: 'r' }),
    'too_many_requests',
  ],
])('fails if a reply in lines %s', async (_name, response, code) => {
  fetched.mockResolvedValueOnce(response);
  await expect(callLines(totalEndpoints.count, counting, () => {})).rejects.toMatchObject({ code });
});
