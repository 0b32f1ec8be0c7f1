import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cashierEndpoints } from '@hengfu/contract/cashier';
import { eventsPath } from '@hengfu/contract/events';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { readConfig } from '#config.ts';
import { testKey } from '../testing/test-database.ts';
import { type TestMerchant, TestProduct } from '../testing/test-product.ts';
import { until } from '../testing/until.ts';
import type { Visitor } from '../testing/visitor.ts';
import { consoleHost } from './console-host.ts';
import { Guards } from './guards.ts';
import { createServer } from './server.ts';
import { SessionCookies } from './session-cookies.ts';

let product: TestProduct;
let merchant: TestMerchant;
let person: Visitor;
let folder: string;
/** A server with an https URL that hosts a console of a few files. */
let site: FastifyInstance;
let siteUrl: string;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), {
    worker: true,
    env: { APP_URL: 'https://console.example' },
  });
  merchant = await product.merchant('heads');
  person = await product.person(merchant);
  folder = await mkdtemp(join(tmpdir(), 'hengfu-heads-'));
  await mkdir(join(folder, 'assets'));
  const page = '<script nonce="__CSP_NONCE__"></script><!--boot-->';
  for (const [name, text] of Object.entries({
    'index.html': page,
    'cashier.html': page,
    'preload.json': '{"routes":{},"languages":{}}',
    'assets/main-1a2b.js': 'export {};',
    'assets/main-1a2b.js.map': '{"sources":["secret.ts"]}',
    '.env': 'APP_KEY=secret',
  }))
    await writeFile(join(folder, name), text);
  const config = readConfig({ APP_KEY: testKey, APP_URL: 'https://console.example', LOG_LEVEL: 'silent' });
  site = await createServer(config, pino({ level: 'silent' }));
  const { database, secrets } = product.services;
  const guards = new Guards(database, secrets, new SessionCookies(secrets, true));
  await consoleHost(site, guards, {
    folder,
    title: 'Test',
    version: '0',
    demoSignIn: null,
    hasTestMode: true,
  });
  siteUrl = await site.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  await site.close();
  await product.close();
  await rm(folder, { recursive: true, maxRetries: 5 });
});

/** Makes a request and returns the reply without waiting for its body. */
async function ask(path: string, options: RequestInit = {}, url = product.url): Promise<Response> {
  const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const token = person.cookies.get('XSRF-TOKEN') ?? '';
  const headers = { cookie, 'x-xsrf-token': token, origin: 'https://evil.example', ...options.headers };
  const response = await fetch(url + path, { redirect: 'manual', ...options, headers });
  await response.body?.cancel();
  return response;
}

/** Sends bytes that need not be HTTP, and returns the reply. */
async function askRaw(text: string): Promise<Response> {
  const socket = connect((product.app.server.address() as AddressInfo).port, '127.0.0.1');
  const parts: Buffer[] = [];
  socket.on('data', (part) => parts.push(part));
  socket.end(text);
  await once(socket, 'close');
  const [head = '', body] = Buffer.concat(parts).toString().split('\r\n\r\n');
  const [line = '', ...fields] = head.split('\r\n');
  const headers = fields.map((field): [string, string] => {
    const [name = '', ...value] = field.split(': ');
    return [name, value.join(': ')];
  });
  return new Response(body ?? null, { status: Number(line.split(' ')[1]), headers });
}

async function exportFile(): Promise<string> {
  const body = { list: 'collections', format: 'csv', language: 'en', zone: 'UTC', filters: {} };
  const { json } = await person.post('/api/merchant/exports', body);
  const no: string = json.data.export_no;
  await until(
    () => person.get('/api/merchant/exports'),
    ({ json: found }) =>
      found.data.some(
        (row: { export_no: string; status: string }) => row.export_no === no && row.status === 'successful',
      ),
  );
  return `/api/merchant/exports/${no}/file`;
}

const json = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

/** One of each kind of reply: the expected status, and how to get it. */
const replies: Record<string, [status: number, ask: () => Promise<Response>]> = {
  'a page': [200, () => ask('/dashboard', {}, siteUrl)],
  'the cashier’s page': [200, () => ask('/pay/whatever', {}, siteUrl)],
  'a slip’s page': [200, () => ask('/slip/whatever', {}, siteUrl)],
  'an unknown slip': [404, () => ask('/api/payout-slips/whatever')],
  'an asset': [200, () => ask('/assets/main-1a2b.js', {}, siteUrl)],
  'an outdated asset': [404, () => ask('/assets/main-0000.js', {}, siteUrl)],
  'a call': [200, () => ask('/api/merchant/user')],
  'a call without a reply body': [204, () => ask('/api/csrf-cookie')],
  'the cashier’s order': [
    200,
    async () => {
      const { json: order } = await merchant.program.create(`heads-${Date.now()}`);
      const token = new URL(order.cashierUrl).pathname.split('/').at(-1) ?? '';
      return ask(cashierEndpoints.get.path.replace(':token', token));
    },
  ],
  'a download': [200, async () => ask(await exportFile())],
  'the event stream': [200, () => ask(eventsPath)],
  'an API document': [200, () => ask('/api/docs/open.json')],
  'the page of the API documents': [200, () => ask('/api/docs')],
  'an asset of the API documents': [200, () => ask('/api/docs/assets/swagger-ui.css')],
  health: [200, () => ask('/healthz')],
  'a call without a session': [401, () => ask('/api/merchant/user', { headers: { cookie: '' } })],
  'a write without its token': [
    419,
    () => ask('/api/logout', { method: 'POST', headers: { 'x-xsrf-token': '' } }),
  ],
  'an unsigned call': [401, () => ask('/openapi/v1/balance')],
  'an unknown call': [404, () => ask('/api/nothing')],
  'an unsupported method': [404, () => ask('/api/login', { method: 'DELETE' })],
  'a cross-site preflight': [
    404,
    () => ask('/api/login', { method: 'OPTIONS', headers: { 'access-control-request-method': 'POST' } }),
  ],
  'wrong input': [
    422,
    () => {
      const { headers, ...rest } = json({});
      return ask('/api/user/confirm-password', {
        ...rest,
        headers: { ...headers, origin: 'https://console.example' },
      });
    },
  ],
  'a write from another origin': [419, () => ask('/api/user/confirm-password', json({}))],
  'broken JSON': [400, () => ask('/api/user/confirm-password', json('{"a":'))],
  'a huge body': [413, () => ask('/api/user/confirm-password', json({ password: 'x'.repeat(300_000) }))],
  'an unsupported media type': [
    415,
    () =>
      ask('/api/user/confirm-password', {
        method: 'POST',
        headers: { 'content-type': 'text/xml' },
        body: 'x',
      }),
  ],
  'a URL that can’t be decoded': [400, () => ask('/api/%zz')],
  'a path parameter that is too long': [404, () => ask(`/api/merchant/collections/${'C'.repeat(300)}`)],
  'bytes that are not HTTP': [400, () => askRaw('nonsense\r\n\r\n')],
  'headers that are too long': [
    413,
    () => askRaw(`GET / HTTP/1.1\r\nhost: h\r\nx: ${'x'.repeat(40_000)}\r\n\r\n`),
  ],
};

describe.each(Object.entries(replies))('%s', (name, [status, get]) => {
  it('carries security headers', async () => {
    const { status: answered, headers } = await get();
    expect(answered).toBe(status);
    const policy = headers.get('content-security-policy') ?? '';
    for (const rule of [
      "frame-ancestors 'none'",
      "object-src 'none'",
      "base-uri 'none'",
      /default-src '(self|none)'/,
    ])
      expect(policy).toMatch(rule);
    expect(policy).not.toMatch(/unsafe|\*|https?:|script-src (?!'self' 'nonce-[\w+/=]{24}')/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    const isBearer = /cashier|slip/.test(name);
    expect(headers.get('referrer-policy')).toBe(isBearer ? 'no-referrer' : 'same-origin');
    expect(headers.get('x-robots-tag')).toBe(isBearer ? 'noindex' : null);
    expect(headers.get('strict-transport-security')).toBe('max-age=63072000; includeSubDomains');
    for (const field of headers.keys()) expect(field).not.toMatch(/^access-control-|^server$|^x-powered-by$/);
    const isPublic = ['an asset', 'an asset of the API documents', 'health', 'an outdated asset'].includes(
      name,
    );
    if (!isPublic) expect(headers.get('cache-control')).toBe('no-store');
    if (status !== 204) expect(headers.get('content-type')).toMatch(/; charset=utf-8$/);
  });
});

it('sends no https headers without https', async () => {
  const plain = await TestProduct.start(inject('ownerUrl'));
  const { headers } = await plain.visitor().get('/healthz');
  expect(headers.get('strict-transport-security')).toBeNull();
  expect(headers.get('content-security-policy')).not.toContain('upgrade');
  await plain.close();
});

it('gives a page’s scripts the nonce of its policy, a new one each time', async () => {
  const seen = new Set<string>();
  for (const path of ['/dashboard', '/pay/whatever', '/dashboard']) {
    const { body, headers } = await site.inject({ url: path });
    const nonce = /'nonce-([^']+)'/.exec(String(headers['content-security-policy']))?.[1] ?? '';
    const used = [...body.matchAll(/<script[^>]*nonce="([^"]*)"/g)].map(([, value]) => value);
    expect(used).toEqual([nonce, nonce]);
    seen.add(nonce);
  }
  expect(seen.size).toBe(3);
});

it.each([
  '/.env',
  '/.git/config',
  '/assets/../.env',
  '/%2eenv',
  '/.well-known/x',
  '/assets/main-1a2b.js.map',
  '/preload.json',
  '/index.html',
  '/..%2f..%2fpackage.json',
])('never serves %s', async (path) => {
  const { body } = await site.inject({ url: path });
  expect(body).not.toMatch(/secret|"routes"|__CSP_NONCE__|"private"/);
});

it('returns 404, not a page, for hidden files and source maps', async () => {
  for (const path of [
    '/.env',
    '/.git/config',
    '/assets/main-1a2b.js.map',
    '/main.js.map',
    '/collection/record.zip',
    '/withdrawal/apply~',
    '/backup%2esql',
    '/setting/.save',
    '/pay/none.zip',
    '/slip/none.zip',
    '/slip/none~',
    '/redirect/dashboard.bak',
    '/redirect/.dashboard.swp',
  ])
    expect((await site.inject({ url: path })).statusCode).toBe(404);
  for (const path of [
    '/slip/1~P1~zzzz~no',
    '/redirect/payouts.of~today',
    '/redirect/https://example.com',
    '/redirect/https%3A%2F%2Fexample.com',
    '/login',
  ])
    expect((await site.inject({ url: path })).statusCode).toBe(200);
});

it('sets cookies over https that no other host and no http connection can set', async () => {
  const { headers } = await product.visitor().get('/api/csrf-cookie');
  const [session = '', token = ''] = headers.getSetCookie();
  expect(session).toMatch(/^__Host-hengfu_session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
  expect(token).toMatch(/^XSRF-TOKEN=[^;]+; Path=\/; Secure; SameSite=Lax$/);
});
