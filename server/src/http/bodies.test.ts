import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { requestLimits } from '@hengfu/contract/endpoint';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { asOwner } from '#db/owner.ts';
import { type TestMerchant, TestProduct } from '../testing/test-product.ts';
import { until } from '../testing/until.ts';
import type { Visitor } from '../testing/visitor.ts';
import { largeBodyLimits } from './large-bodies.ts';

let product: TestProduct;
let merchant: TestMerchant;
let person: Visitor;
let stranger: Visitor;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { bank: true });
  merchant = await product.merchant('doors');
  person = await product.person(merchant);
  stranger = product.visitor();
  await stranger.get('/api/csrf-cookie');
});
afterAll(() => product.close());

interface Sent {
  path: string;
  method?: string;
  /** Its Content-Type; undefined for a call without one. */
  type?: string | undefined;
  from?: Visitor | undefined;
  body: Buffer | string;
  /** Sent in chunks, without a Content-Length. */
  isChunked?: boolean;
  headers?: Record<string, string>;
}

/** Sends a request over a raw socket, always with its whole body, and returns the reply. */
async function send({ path, method = 'POST', from, ...more }: Sent) {
  const type = 'type' in more ? more.type : 'application/json';
  const bytes = Buffer.from(more.body);
  const cookie = [...(from?.cookies ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');
  const headers: Record<string, string> = {
    host: 'a',
    connection: 'close',
    ...(type !== undefined && { 'content-type': type }),
    ...(from && { cookie, 'x-xsrf-token': from.cookies.get('XSRF-TOKEN') ?? '' }),
    ...(more.isChunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(bytes.length) }),
    ...more.headers,
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const socket = connect(Number(new URL(product.url).port), '127.0.0.1');
  socket.write(`${method} ${path} HTTP/1.1\r\n${head.join('')}\r\n`);
  const piece = 64 * 1024;
  for (let at = 0; at < bytes.length; at += piece) {
    const part = bytes.subarray(at, at + piece);
    if (more.isChunked) socket.write(`${part.length.toString(16)}\r\n`);
    socket.write(part);
    if (more.isChunked) socket.write('\r\n');
  }
  if (more.isChunked) socket.write('0\r\n\r\n');
  const answer = await text(socket);
  const body = answer.slice(answer.indexOf('\r\n\r\n') + 4);
  const json = body.startsWith('{') ? JSON.parse(body) : body;
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0), json, bytes: answer.length };
}

const form = 'application/x-www-form-urlencoded';
const multipart = 'multipart/form-data; boundary=b';
/** Encodes fields as a multipart form. */
const multipartOf = (fields: readonly (readonly [string, string | Buffer])[]) =>
  Buffer.concat([
    ...fields.flatMap(([name, value]) => [
      Buffer.from(`--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n`),
      Buffer.from(value),
      Buffer.from('\r\n'),
    ]),
    Buffer.from('--b--\r\n'),
  ]);
const invalidUtf8 = Buffer.from([0xc3, 0x28]);
const quoted = (value: Buffer) => Buffer.concat([Buffer.from('{"email":"'), value, Buffer.from('"}')]);

/** Every kind of call with a body; `wrap` puts a value into its body. */
const entryPoints = {
  JSON: { path: '/api/login', type: 'application/json', wrap: quoted },
  'a form': {
    path: '/api/login',
    type: form,
    wrap: (value: Buffer) => Buffer.concat([Buffer.from('email='), value]),
  },
  'a multipart form': {
    path: '/api/login',
    type: multipart,
    wrap: (value: Buffer) => multipartOf([['email', value]]),
  },
  'the checkout': { path: `/api/cashier/${'x'.repeat(22)}/pay`, type: 'application/json', wrap: quoted },
  'the Open API': { path: '/openapi/v1/collections', type: 'application/json', wrap: quoted },
  'the bank’s callback': { path: '/api/channels/CN_BANK/callback', type: 'application/json', wrap: quoted },
  'a batch': { path: '/api/merchant/payout-batches/check', type: 'application/json', wrap: quoted },
};
const limitOf = (name: string) => (name === 'a batch' ? 6 * 1024 * 1024 : requestLimits.bodyBytes);

describe.each(Object.entries(entryPoints))('%s', (name, { path, type, wrap }) => {
  const from = () => (name === 'a batch' ? person : stranger);

  it.each([
    ['of known length', false],
    ['in chunks', true],
  ])('rejects an oversized body %s with 413, and the reply arrives', async (_how, isChunked) => {
    const body = wrap(Buffer.alloc(limitOf(name) + 1, 'x'));
    const { status, json } = await send({ path, type, body, from: from(), isChunked });
    expect([status, json.code]).toEqual([413, 'payload_too_large']);
  });

  it('rejects invalid UTF-8', async () => {
    const { status, json } = await send({ path, type, body: wrap(invalidUtf8), from: from() });
    expect([status, json.code]).toEqual([400, 'bad_request']);
  });
});

it.each([
  ['a form', form, 'amount=1', 415],
  ['a form with bytes that are not UTF-8', form, invalidUtf8, 415],
  ['text without a type', undefined, 'amount=1', 415],
  ['JSON of an empty type', '', '{"amount":"1"}', 415],
  ['bad JSON', 'application/json; charset=utf-8', '{"amount":', 400],
  ['bad JSON of a type of its own', 'application/problem+json', '{"amount":', 400],
  // Read, and refused for want of a signature.
  ['JSON that is declared as a form', form, '{"amount":"1"}', 401],
  ['JSON without a type', undefined, '{"amount":"1"}', 401],
])('a signed call with %s is answered with the right status', async (_what, type, body, status) => {
  expect(await send({ path: '/openapi/v1/collections', type, body })).toMatchObject({ status });
});

describe('percent-encoding', () => {
  it.each(['%ff', '%c3%28', '%ed%a0%80', '%', '%zz'])(
    'that is malformed (%s) is rejected in a form, a query and a path',
    async (encoded) => {
      const answers = await Promise.all([
        send({ path: '/api/login', type: form, body: `email=${encoded}`, from: stranger }),
        send({ path: `/api/merchant/search?q=${encoded}`, method: 'GET', body: '', from: person }),
        send({ path: `/api/cashier/${encoded}`, method: 'GET', body: '' }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
    },
  );

  it('of valid UTF-8 is accepted', async () => {
    const { status } = await send({
      path: '/api/merchant/search?q=%E7%8E%8B%E8%8A%B3',
      method: 'GET',
      body: '',
      from: person,
    });
    expect(status).toBe(200);
  });
});

describe('a large body', () => {
  const path = '/api/merchant/payout-batches/check';
  const body = JSON.stringify({
    channel: 'CN_BANK',
    rows: Array.from({ length: 500 }, () => ({ payee: 'x'.repeat(100) })),
  });
  const withoutToken = () => {
    const visitor = product.visitor();
    for (const [name, value] of person.cookies) visitor.cookies.set(name, value);
    visitor.cookies.set('XSRF-TOKEN', 'another');
    return visitor;
  };

  it.each([
    ['over the limit', 413, () => person, Buffer.alloc(7 * 1024 * 1024, ' ')],
    ['over the limit, even without a token,', 413, () => withoutToken(), Buffer.alloc(7 * 1024 * 1024, ' ')],
    ['without a token', 419, () => withoutToken(), body],
    ['from an anonymous sender', 401, () => stranger, body],
  ])('%s gets %i', async (_what, status, from, sent) => {
    expect((await send({ path, body: sent, from: from() })).status).toBe(status);
  });

  it.each([form, multipart])('of type %s is rejected, since only JSON may be large', async (type) => {
    const sent = type === form ? `name=${'x'.repeat(20_000)}` : multipartOf([['name', 'x'.repeat(20_000)]]);
    expect((await send({ path, type, body: sent, from: person })).status).toBe(413);
  });

  it('of unknown size is not read from an anonymous sender', async () => {
    const { status } = await send({
      path,
      body: Buffer.alloc(7 * 1024 * 1024, ' '),
      from: stranger,
      isChunked: true,
    });
    expect(status).toBe(401);
  });

  it.each([
    ['a missing item', '{"channel":"CN_BANK","rows":[{},]}'],
    ['an unclosed array', '{"channel":"CN_BANK","rows":[{}'],
    ['mismatched brackets', '{"channel":"CN_BANK","rows":[{}}]'],
    ['a `__proto__` field', '{"channel":"CN_BANK","rows":[{"__proto__":{"amount":"1"}}]}'],
    ['nothing but blanks before a comma', `{"rows":[${' '.repeat(40_000)},{}]}`],
  ])('is rejected for %s, as a small one is', async (_what, wrong) => {
    const padded = wrong + ' '.repeat(requestLimits.bodyBytes);
    const small = await send({ path, body: wrong, from: person });
    const large = await send({ path, body: padded, from: person });
    expect([small.status, large.status]).toEqual([400, 400]);
  });

  it.each([
    ['too many fields', `{${Array.from({ length: 5000 }, (_, index) => `"k${index}":1`).join(',')}}`],
    [
      'too many fields in one row',
      `{"rows":[{${Array.from({ length: 5000 }, (_, index) => `"k${index}":1`).join(',')}}]}`,
    ],
    ['a long string', `{"channel":"${'x'.repeat(200_000)}"}`],
    ['a long string in one row', `{"rows":[{"payee":"${'x'.repeat(200_000)}"}]}`],
    ['deeply nested rows', `{"rows":[${'['.repeat(20_000)}${']'.repeat(20_000)}]}`],
    ['too many rows', `{"rows":[${'{},'.repeat(170_000)}{}]}`],
    ['too many blanks', `{}${' '.repeat(200_000)}`],
  ])('is rejected for %s before it is parsed', async (_what, body) => {
    const { status, json } = await send({ path, body, from: person });
    expect([status, Object.keys(json.errors ?? {})]).toEqual([422, ['body']]);
  });

  it.each([
    ['outside its rows', quoted(invalidUtf8)],
    ['in a row', Buffer.concat([Buffer.from('{"rows":[{"payee":"'), invalidUtf8, Buffer.from('"}]}')])],
  ])('is rejected for invalid UTF-8 %s', async (_where, body) => {
    const padded = Buffer.concat([body, Buffer.alloc(requestLimits.bodyBytes, ' ')]);
    expect((await send({ path, body: padded, from: person })).status).toBe(400);
  });

  it('is parsed like a small one', async () => {
    const rows = [{ payee: 'a"],[{' }, { payee: '\\', remark: '王芳' }, {}];
    const fields = { rows: [{}], channel: 'CN_BANK' };
    const json = `${JSON.stringify(fields).slice(0, -1)},"rows":${JSON.stringify(rows)}}`;
    const small = await send({ path, body: json, from: person });
    const large = await send({ path, body: json + ' '.repeat(requestLimits.bodyBytes), from: person });
    expect(small.status).toBe(200);
    expect(large.json).toEqual(small.json);
    expect(small.json.data.count).toBe(3);
  });
});

describe('too much input', () => {
  const pay = `/api/cashier/${'x'.repeat(22)}/pay`;
  const named = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]));
  const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: nested(depth - 1) });

  it.each([
    ['fields of one object', named(101)],
    ['fields in total', Array.from({ length: 11 }, () => named(100))],
    ['items', { a: Array.from({ length: 1001 }, () => 1) }],
    ['levels', nested(17)],
  ])('(%s) is one fault, found before the schema runs', async (_what, body) => {
    const { status, json } = await send({ path: pay, body: JSON.stringify(body) });
    expect(status).toBe(422);
    expect(Object.values(json.errors).flat()).toEqual([expect.stringMatching(/the maximum is \d+/)]);
  });

  it.each([
    [
      'a query',
      {
        path: `/api/merchant/collections?${new URLSearchParams(named(101) as never)}`,
        method: 'GET',
        body: '',
      },
    ],
    [
      'a repeated name in a query',
      { path: `/api/merchant/collections?${'limit=20&'.repeat(1000)}`, method: 'GET', body: '' },
    ],
    ['a form', { path: '/api/login', type: form, body: new URLSearchParams(named(101) as never).toString() }],
    [
      'a multipart form',
      {
        path: '/api/login',
        type: multipart,
        body: multipartOf(Object.keys(named(101)).map((name) => [name, 'x'] as const)),
      },
    ],
  ])('in %s is one fault', async (_what, sent) => {
    const { status, json } = await send({ ...sent, from: person });
    expect([status, Object.values(json.errors ?? {}).flat().length]).toEqual([422, 1]);
  });

  it('is reported as twenty faults and the number of further ones', async () => {
    const { status, json } = await send({ path: pay, body: JSON.stringify(named(99)) });
    expect(status).toBe(422);
    expect(Object.keys(json.errors)).toHaveLength(20);
    expect(json.message).toContain('99 more errors');
  });

  it('in ten thousand whitelist lines is reported as twenty faults', async () => {
    const body = JSON.stringify({ addresses: 'x\n'.repeat(10_000) });
    const { status, json, bytes } = await send({
      path: '/api/merchant/ip-address/preview',
      body,
      from: person,
    });
    expect(status).toBe(422);
    expect(Object.values(json.errors).flat().length).toBeLessThanOrEqual(20);
    expect(bytes).toBeLessThan(10_000);
  });
});

describe('large bodies in progress', () => {
  const path = '/api/merchant/payout-batches/check';
  const row = { payee: 'x'.repeat(100) };
  const body = JSON.stringify({ channel: 'CN_BANK', rows: Array.from({ length: 200 }, () => row) });

  /** Sends the headers of a large body, and nothing of the body. */
  function hold(from: Visitor) {
    const cookie = [...from.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const socket = connect(Number(new URL(product.url).port), '127.0.0.1');
    const head = ['host: a', `cookie: ${cookie}`, 'content-type: application/json', 'content-length: 100000'];
    head.push(`x-xsrf-token: ${from.cookies.get('XSRF-TOKEN')}`);
    socket.write(`POST ${path} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`);
    return socket;
  }

  it('are limited per merchant, and a closed connection frees its slot', async () => {
    const other = await product.person(await product.merchant('doors-besides'));
    const statusOf = async (from: Visitor) => (await send({ path, from, body })).status;
    const sockets = Array.from({ length: largeBodyLimits.ofMerchant }, () => hold(person));
    await until(
      () => {
        // This call itself may have taken the slot of one of the others.
        sockets.push(hold(person));
        return statusOf(person);
      },
      (status) => status === 429,
    );
    expect(await statusOf(other)).toBe(200);
    for (const socket of sockets) socket.destroy();
    await until(
      () => statusOf(person),
      (status) => status === 200,
    );
  });
});

describe('large bodies whose client has disconnected', () => {
  const path = '/api/merchant/payout-batches/check';
  const rows = Array.from({ length: 200 }, () => ({ payee: 'x'.repeat(100) }));
  const body = JSON.stringify({ channel: 'CN_BANK', rows });
  const connections = () =>
    new Promise<number>((resolve) => product.app.server.getConnections((_error, count) => resolve(count)));
  const waitingForLock = async () => {
    const { rows: found } = await product.services.database.asSystem((tx) =>
      sql<{ count: number }>`select count(*)::integer as count from pg_locks where not granted
        and relation = 'merchant_terms'::regclass and database = (select oid from pg_database where datname = current_database())`.execute(
        tx.query,
      ),
    );
    return found[0]?.count ?? 0;
  };

  it('count until the work on them is done', async () => {
    let refused = 0;
    const tooMany = 4;
    const statusOf = async () => (await send({ path, from: person, body })).status;
    const begin = () => {
      const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const socket = connect(Number(new URL(product.url).port), '127.0.0.1');
      const head = ['host: a', `cookie: ${cookie}`, 'content-type: application/json'];
      head.push(`content-length: ${body.length}`, `x-xsrf-token: ${person.cookies.get('XSRF-TOKEN')}`);
      socket.write(`POST ${path} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n${body}`);
      socket.on('data', (reply) => {
        if (reply.toString().startsWith('HTTP/1.1 429')) refused++;
      });
      return socket;
    };
    await asOwner(product.ownerUrl, async (owner) => {
      await owner.query('begin; lock table merchant_terms in access exclusive mode');
      const before = await connections();
      const sockets = Array.from({ length: largeBodyLimits.ofMerchant + tooMany }, begin);
      await until(
        async () => refused,
        (count) => count === tooMany,
      );
      await until(waitingForLock, (count) => count > 0);
      for (const socket of sockets) socket.destroy();
      await until(connections, (count) => count <= before);
      expect(await statusOf()).toBe(429);
      await owner.query('rollback');
    });
    await until(statusOf, (status) => status === 200);
  });
});

describe('a large body of JSON', () => {
  const row = {
    payee: '王芳',
    bank: 'ICBC',
    bankName: '中国工商银行',
    amount: '1.00',
    remark: 'x'.repeat(140),
  };
  const text = JSON.stringify({ channel: 'CN_BANK', rows: Array.from({ length: 100 }, () => row) });

  it.each([
    ['without a prefix', text],
    ['after many blanks', ' '.repeat(100) + text],
    ['after a byte order mark', `\ufeff${text}`],
  ])('is read completely %s', async (_name, body) => {
    const path = '/api/merchant/payout-batches/check';
    const { status, json } = await send({ path, from: person, body });
    expect([status, json.data?.count]).toEqual([200, 100]);
  });
});
