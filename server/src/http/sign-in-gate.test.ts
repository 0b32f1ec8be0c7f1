import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { sql } from 'kysely';
import { Agent, fetch } from 'undici';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import * as z from 'zod';
import { everyEndpoint } from '../testing/endpoints.ts';
import { keepRealPasswords } from '../testing/quick-argon2.ts';
import { type TestMerchant, TestProduct, testPassword } from '../testing/test-product.ts';
import { codeOf, earlierCodeOf } from '../testing/totp.ts';

/** Small enough to empty at once, and too slow to refill during a test. */
const address = { burst: 6, perSecond: 1 / 600 };
const limits = {
  address,
  network: { burst: 24, perSecond: 1 / 600 },
  device: { burst: 3, perSecond: 1 / 600 },
  strangers: { burst: 1000, perSecond: 10 },
};

let product: TestProduct;
let merchant: TestMerchant;
let addresses = 0;

keepRealPasswords();
beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), {
    signInLimits: limits,
    env: { TRUST_PROXY: '127.0.0.1' },
  });
  merchant = await product.merchant('flood');
});
afterAll(() => product.close());

/** Returns an address that has made no calls yet. */
const freshAddress = () => `198.51.100.${++addresses}`;

async function newUser(email: string): Promise<void> {
  const user = { email, name: 'U', password: testPassword, roles: ['MERCHANT_ADMIN'] as const };
  await product.admin().createUser(merchant.id, user);
}

/** Confirms the password in all sessions, as a call would that takes from the buckets. */
const confirmAll = () =>
  product.services.database.asSystem((tx) =>
    sql`update session set password_confirmed_at = now()`.execute(tx.query),
  );

/** Creates a browser at an address. */
function browserAt(from: string) {
  const visitor = product.visitor();
  const headers = { 'x-forwarded-for': from };
  return {
    cookies: visitor.cookies,
    get: (path: string) => visitor.get(path, headers),
    post: (path: string, body?: unknown, more: Record<string, string> = {}) =>
      visitor.post(path, body, { ...headers, ...more }),
    put: (path: string, body: unknown) => visitor.send('PUT', path, body, headers),
    async signIn(email: string, password = testPassword) {
      await visitor.get('/api/csrf-cookie', headers);
      return visitor.post('/api/login', { email, password }, headers);
    },
  };
}

/** Empties the bucket of an address; returns the statuses of the calls. */
async function flood(from: string, calls = address.burst + 1): Promise<number[]> {
  const { post } = browserAt(from);
  const statuses: number[] = [];
  for (let index = 0; index < calls; index++) statuses.push((await post('/api/login', {})).status);
  return statuses;
}

describe('an address that has used up its sign-in calls', () => {
  it('gets 429 before its token is checked', async () => {
    const statuses = await flood(freshAddress());
    expect(statuses).toEqual([...Array(address.burst).fill(419), 429]);
  });

  it('learns when to try again, in the caller’s language', async () => {
    const from = freshAddress();
    await flood(from);
    const { headers, json } = await browserAt(from).post('/api/login', {}, { 'accept-language': 'vi' });
    expect(json).toMatchObject({ code: 'too_many_requests', message: expect.stringMatching(/yêu cầu/) });
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(headers.get('x-ratelimit-limit')).toBe(String(address.burst));
    expect(headers.get('x-ratelimit-remaining')).toBe('0');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it.each([
    '/api/login',
    '/api/two-factor-challenge',
    '/api/two-factor-challenge/options',
    '/api/user/confirm-password',
  ])('can’t call %s, but can make other calls', async (path) => {
    const from = freshAddress();
    await flood(from);
    const { get, post } = browserAt(from);
    expect((await post(path, {})).status).toBe(429);
    expect((await get('/api/csrf-cookie')).status).toBe(204);
    expect((await get('/api/merchant/user')).status).toBe(401);
    expect((await post('/api/logout', {})).status).toBe(401);
  });

  it('can’t make any call that checks a login password', async () => {
    const checking = (await everyEndpoint()).filter(({ body }) =>
      ['password', 'current_password'].some(
        (name) => name in (body instanceof z.ZodObject ? body.shape : {}),
      ),
    );
    expect(checking.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
      'POST /api/invitations/:token/acceptance',
      'POST /api/login',
      'POST /api/user/confirm-password',
      'PUT /api/user/password',
    ]);
    const from = freshAddress();
    await flood(from);
    for (const { method, path } of checking)
      expect([
        path,
        (await product.visitor().send(method, path, {}, { 'x-forwarded-for': from })).status,
      ]).toEqual([path, 429]);
  });

  it('does not affect other addresses', async () => {
    await flood(freshAddress());
    expect(await flood(freshAddress(), 1)).toEqual([419]);
  });

  it('shares a bucket with its /64, and another one with its /48', async () => {
    const hosts = (network: string) =>
      Array.from({ length: 7 }, (_, host) => `2001:db8:${network}::${host + 1}`);
    const statuses: number[] = [];
    for (const host of hosts('1:1')) statuses.push(...(await flood(host, 1)));
    expect(statuses).toEqual([...Array(address.burst).fill(419), 429]);
    expect(await flood('2001:db8:1:2::1')).toEqual([...Array(address.burst).fill(419), 429]);
    expect(await flood('2001:db8:1:3::1')).toEqual([...Array(address.burst).fill(419), 429]);
    expect(await flood('2001:db8:1:4::1')).toEqual([...Array(address.burst).fill(419), 429]);
    expect(await flood('2001:db8:1:5::1', 1)).toEqual([429]);
    expect(await flood('2001:db8:2:1::1', 1)).toEqual([419]);
  });
});

describe('the body of a rejected call', () => {
  const open = (from: string, headers: Record<string, string>): ClientRequest =>
    request(`${product.url}/api/login`, {
      method: 'POST',
      headers: { 'x-forwarded-for': from, 'content-type': 'application/json', ...headers },
    });

  it.each([
    ['of unknown length', { 'transfer-encoding': 'chunked' }],
    ['of a large stated length', { 'content-length': String(1 << 30) }],
  ])('%s stays unread: the reply comes first, and the connection ends', async (_name, headers) => {
    const from = freshAddress();
    await flood(from);
    const call = open(from, headers);
    let sent = 0;
    const chunk = Buffer.alloc(64 * 1024, 'x');
    const stream = () => {
      while (!call.destroyed) {
        sent += chunk.length;
        if (!call.write(chunk)) return void call.once('drain', stream);
      }
    };
    const closed = new Promise((resolve) => call.once('close', resolve));
    // The server resets the connection in the end.
    call.on('error', () => {});
    const answered = once(call, 'response') as Promise<[IncomingMessage]>;
    stream();
    const [response] = await answered;
    expect([response.statusCode, await json(response)]).toMatchObject([429, { code: 'too_many_requests' }]);
    await closed;
    // Only what the network buffers, not the gigabyte.
    expect(sent).toBeLessThan(64 << 20);
  });

  it('leaves the connection open for the next call if it is short', async () => {
    const from = freshAddress();
    await flood(from);
    const agent = new Agent({ connections: 1 });
    const before = await connections();
    for (let index = 0; index < 5; index++) {
      const answer = await fetch(`${product.url}/api/login`, {
        method: 'POST',
        body: JSON.stringify({ email: 'a@b.test', password: 'x' }),
        headers: { 'x-forwarded-for': from, 'content-type': 'application/json' },
        dispatcher: agent,
      });
      expect([answer.status, await answer.json()]).toMatchObject([429, { code: 'too_many_requests' }]);
    }
    expect(await connections()).toBe(before + 1);
    await agent.close();
  });

  const connections = () =>
    new Promise<number>((resolve) => product.app.server.getConnections((_error, count) => resolve(count)));
});

describe('a browser that has signed in before', () => {
  it('has a bucket of its own, so that it can sign in from a flooding address', async () => {
    const from = freshAddress();
    await newUser('ann@flood.test');
    const ann = browserAt(from);
    expect((await ann.signIn('ann@flood.test')).status).toBe(200);
    ann.cookies.delete('hengfu_session');
    await flood(from);
    expect((await browserAt(from).signIn('ann@flood.test')).status).toBe(429);
    expect((await ann.signIn('ann@flood.test')).status).toBe(200);
  });

  it('is recognized by a cookie that names no user and that scripts can’t read', async () => {
    await newUser('bob@flood.test');
    const { headers } = await browserAt(freshAddress()).signIn('bob@flood.test');
    const line = headers.getSetCookie().find((cookie) => cookie.startsWith('hengfu_device='));
    expect(line).toMatch(/^hengfu_device=[\w.~-]+; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(line).not.toContain('bob');
    expect(Buffer.from(line ?? '', 'base64url').toString('latin1')).not.toContain('bob');
  });

  it('is recognized only after the second factor', async () => {
    const email = 'cleo@flood.test';
    await newUser(email);
    const first = browserAt(freshAddress());
    await first.signIn(email);
    await first.post('/api/user/confirm-password', { password: testPassword });
    await first.post('/api/user/two-factor-authentication', {});
    const secret = (await first.get('/api/user/two-factor-secret-key')).json.secretKey;
    const code = await earlierCodeOf(secret);
    await first.post('/api/user/confirmed-two-factor-authentication', { code });
    const second = browserAt(freshAddress());
    expect((await second.signIn(email)).json).toEqual({ two_factor: true });
    expect(second.cookies.has('hengfu_device')).toBe(false);
    expect((await second.post('/api/two-factor-challenge', { code: codeOf(secret) })).status).toBe(204);
    expect(second.cookies.has('hengfu_device')).toBe(true);
  });

  it('gains nothing by signing in many times: the browsers of an account share a bucket', async () => {
    const email = 'dan@flood.test';
    await newUser(email);
    const cookies: string[] = [];
    for (let index = 0; index < 4; index++) {
      const browser = browserAt(freshAddress());
      await browser.signIn(index === 0 ? email : `dan${index - 1}@flood.test`);
      cookies.push(browser.cookies.get('hengfu_device') ?? '');
      // Changing the email each time does not help either.
      await confirmAll();
      const renamed = { name: 'Dan', email: `dan${index}@flood.test` };
      expect((await browser.put('/api/user/profile-information', renamed)).status).toBe(200);
    }
    const from = freshAddress();
    await flood(from);
    const statuses: number[] = [];
    for (const cookie of [...cookies, ...cookies]) {
      const browser = browserAt(from);
      browser.cookies.set('hengfu_device', cookie);
      statuses.push((await browser.post('/api/login', {})).status);
    }
    const passed = limits.device.burst;
    expect(statuses).toEqual([...Array(passed).fill(419), ...Array(8 - passed).fill(429)]);
  });

  it.each([
    ['made up', () => `${'z'.repeat(7)}.${'A'.repeat(16)}.${'A'.repeat(43)}`],
    ['changed', (cookie: string) => cookie.replace(/\.(.)/, (_, first) => `.${first === 'A' ? 'B' : 'A'}`)],
    ['too long', (cookie: string) => `${cookie}${'~A'.repeat(5000)}`],
    ['empty', () => ''],
  ])('is not recognized by a cookie that is %s', async (_name, forge) => {
    const from = freshAddress();
    const email = `erin${addresses}@flood.test`;
    await newUser(email);
    const browser = browserAt(from);
    await browser.signIn(email);
    const forged = browserAt(from);
    forged.cookies.set('hengfu_device', forge(browser.cookies.get('hengfu_device') ?? ''));
    await flood(from);
    expect((await forged.post('/api/login', {})).status).toBe(429);
  });
});
