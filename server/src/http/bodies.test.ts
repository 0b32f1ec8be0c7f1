import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { requestLimits } from '@hengfu/contract/endpoint';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { asOwner } from '#db/owner.ts';
import { type TestMerchant, TestProduct } from '../testing/test-product.ts';
import { until } from '../testing/until.ts';
import type { Visitor } from '../testing/visitor.ts';
import { mostLargeBodies } from './large-bodies.ts';

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
  type?: string;
  from?: Visitor | undefined;
  body: Buffer | string;
  /** Sent in chunks, without saying how much is to come. */
  isChunked?: boolean;
  headers?: Record<string, string>;
}

/** Sends a request byte by byte, the whole body whatever comes back meanwhile, and reads the reply as it came. */
async function send({ path, method = 'POST', type = 'application/json', from, ...more }: Sent) {
  const bytes = Buffer.from(more.body);
  const cookie = [...(from?.cookies ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');
  const headers: Record<string, string> = {
    host: 'a',
    connection: 'close',
    'content-type': type,
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
const parts = 'multipart/form-data; boundary=b';
/** A form of parts, each a field of its own. */
const partsOf = (fields: readonly (readonly [string, string | Buffer])[]) =>
  Buffer.concat([
    ...fields.flatMap(([name, value]) => [
      Buffer.from(`--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n`),
      Buffer.from(value),
      Buffer.from('\r\n'),
    ]),
    Buffer.from('--b--\r\n'),
  ]);
const badText = Buffer.from([0xc3, 0x28]);
const quoted = (value: Buffer) => Buffer.concat([Buffer.from('{"email":"'), value, Buffer.from('"}')]);

/** Every way by which a body comes in, each with what is wrong with it. */
const doors = {
  JSON: { path: '/api/login', type: 'application/json', wrap: quoted },
  'a form': {
    path: '/api/login',
    type: form,
    wrap: (value: Buffer) => Buffer.concat([Buffer.from('email='), value]),
  },
  'a form of parts': {
    path: '/api/login',
    type: parts,
    wrap: (value: Buffer) => partsOf([['email', value]]),
  },
  'the cashier': { path: `/api/cashier/${'x'.repeat(22)}/pay`, type: 'application/json', wrap: quoted },
  'the Open API': { path: '/openapi/v1/collections', type: 'application/json', wrap: quoted },
  'the bank’s door': { path: '/api/channels/CN_BANK/callback', type: 'application/json', wrap: quoted },
  'a batch': { path: '/api/merchant/payout-batches/check', type: 'application/json', wrap: quoted },
};
const limitOf = (door: string) => (door === 'a batch' ? 6 * 1024 * 1024 : requestLimits.bodyBytes);

describe.each(Object.entries(doors))('%s', (door, { path, type, wrap }) => {
  const from = () => (door === 'a batch' ? person : stranger);

  it.each([
    ['with its length', false],
    ['in chunks', true],
  ])('refuses with 413 what is too large, %s, and the reply arrives', async (_how, isChunked) => {
    const body = wrap(Buffer.alloc(limitOf(door) + 1, 'x'));
    const { status, json } = await send({ path, type, body, from: from(), isChunked });
    expect([status, json.code]).toEqual([413, 'payload_too_large']);
  });

  it('refuses bytes that are no text', async () => {
    const { status, json } = await send({ path, type, body: wrap(badText), from: from() });
    expect([status, json.code]).toEqual([400, 'bad_request']);
  });
});

describe('text', () => {
  it.each(['%ff', '%c3%28', '%ed%a0%80', '%', '%zz'])(
    'that is encoded wrongly (%s) is refused in a form, a query and a path',
    async (encoded) => {
      const answers = await Promise.all([
        send({ path: '/api/login', type: form, body: `email=${encoded}`, from: stranger }),
        send({ path: `/api/merchant/search?q=${encoded}`, method: 'GET', body: '', from: person }),
        send({ path: `/api/cashier/${encoded}`, method: 'GET', body: '' }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
    },
  );

  it('that is encoded well is read as it is', async () => {
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
  const without = () => {
    const visitor = product.visitor();
    for (const [name, value] of person.cookies) visitor.cookies.set(name, value);
    visitor.cookies.set('XSRF-TOKEN', 'another');
    return visitor;
  };

  it.each([
    ['its size', 413, () => person, Buffer.alloc(7 * 1024 * 1024, ' ')],
    ['its size, before its token', 413, () => without(), Buffer.alloc(7 * 1024 * 1024, ' ')],
    ['its token', 419, () => without(), body],
    ['who sends it', 401, () => stranger, body],
  ])('is judged by %s: %i', async (_what, status, from, sent) => {
    expect((await send({ path, body: sent, from: from() })).status).toBe(status);
  });

  it.each([form, parts])('of any call is JSON: one of %s is refused', async (type) => {
    const sent = type === form ? `name=${'x'.repeat(20_000)}` : partsOf([['name', 'x'.repeat(20_000)]]);
    expect((await send({ path, type, body: sent, from: person })).status).toBe(413);
  });

  it('of a stranger is not read when it does not say how large it is', async () => {
    const { status } = await send({
      path,
      body: Buffer.alloc(7 * 1024 * 1024, ' '),
      from: stranger,
      isChunked: true,
    });
    expect(status).toBe(401);
  });

  it.each([
    ['an item that is missing', '{"channel":"CN_BANK","rows":[{},]}'],
    ['an array without its end', '{"channel":"CN_BANK","rows":[{}'],
    ['brackets that cross', '{"channel":"CN_BANK","rows":[{}}]'],
    ['a field of the prototype', '{"channel":"CN_BANK","rows":[{"__proto__":{"amount":"1"}}]}'],
    ['nothing but blanks before a comma', `{"rows":[${' '.repeat(40_000)},{}]}`],
  ])('is refused for %s, as a small one is', async (_what, wrong) => {
    const padded = wrong + ' '.repeat(requestLimits.bodyBytes);
    const small = await send({ path, body: wrong, from: person });
    const large = await send({ path, body: padded, from: person });
    expect([small.status, large.status]).toEqual([400, 400]);
  });

  it.each([
    ['fields', `{${Array.from({ length: 5000 }, (_, index) => `"k${index}":1`).join(',')}}`],
    [
      'fields of one row',
      `{"rows":[{${Array.from({ length: 5000 }, (_, index) => `"k${index}":1`).join(',')}}]}`,
    ],
    ['a text', `{"channel":"${'x'.repeat(200_000)}"}`],
    ['a text of one row', `{"rows":[{"payee":"${'x'.repeat(200_000)}"}]}`],
    ['rows within rows', `{"rows":[${'['.repeat(20_000)}${']'.repeat(20_000)}]}`],
    ['rows', `{"rows":[${'{},'.repeat(170_000)}{}]}`],
    ['blanks', `{}${' '.repeat(200_000)}`],
  ])('is refused for too many %s before it is parsed', async (_what, body) => {
    const { status, json } = await send({ path, body, from: person });
    expect([status, Object.keys(json.errors ?? {})]).toEqual([422, ['body']]);
  });

  it.each([
    ['beside its rows', quoted(badText)],
    ['in a row', Buffer.concat([Buffer.from('{"rows":[{"payee":"'), badText, Buffer.from('"}]}')])],
  ])('is refused for bytes that are no text %s', async (_where, body) => {
    const padded = Buffer.concat([body, Buffer.alloc(requestLimits.bodyBytes, ' ')]);
    expect((await send({ path, body: padded, from: person })).status).toBe(400);
  });

  it('is understood as a small one is', async () => {
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

describe('too much of it', () => {
  const pay = `/api/cashier/${'x'.repeat(22)}/pay`;
  const named = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]));
  const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: nested(depth - 1) });

  it.each([
    ['fields', named(101)],
    ['fields all together', Array.from({ length: 11 }, () => named(100))],
    ['items', { a: Array.from({ length: 1001 }, () => 1) }],
    ['levels', nested(17)],
  ])('%s: one fault, before the schema is asked', async (_what, body) => {
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
      'a name in a query',
      { path: `/api/merchant/collections?${'limit=20&'.repeat(1000)}`, method: 'GET', body: '' },
    ],
    ['a form', { path: '/api/login', type: form, body: new URLSearchParams(named(101) as never).toString() }],
    [
      'a form of parts',
      {
        path: '/api/login',
        type: parts,
        body: partsOf(Object.keys(named(101)).map((name) => [name, 'x'] as const)),
      },
    ],
  ])('in %s: one fault', async (_what, sent) => {
    const { status, json } = await send({ ...sent, from: person });
    expect([status, Object.values(json.errors ?? {}).flat().length]).toEqual([422, 1]);
  });

  it('a reply names twenty faults, and says how many there are', async () => {
    const { status, json } = await send({ path: pay, body: JSON.stringify(named(99)) });
    expect(status).toBe(422);
    expect(Object.keys(json.errors)).toHaveLength(20);
    expect(json.message).toContain('99 more errors');
  });

  it('ten thousand wrong lines of a whitelist are twenty faults', async () => {
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

describe('large bodies that are under way', () => {
  const path = '/api/merchant/payout-batches/check';
  const row = { payee: 'x'.repeat(100) };
  const body = JSON.stringify({ channel: 'CN_BANK', rows: Array.from({ length: 200 }, () => row) });

  /** Announces a body of which nothing follows. */
  function hold(from: Visitor) {
    const cookie = [...from.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const socket = connect(Number(new URL(product.url).port), '127.0.0.1');
    const head = ['host: a', `cookie: ${cookie}`, 'content-type: application/json', 'content-length: 100000'];
    head.push(`x-xsrf-token: ${from.cookies.get('XSRF-TOKEN')}`);
    socket.write(`POST ${path} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`);
    return socket;
  }

  it('are so many of one merchant; another one’s are taken, and places come back', async () => {
    const other = await product.person(await product.merchant('doors-besides'));
    const statusOf = async (from: Visitor) => (await send({ path, from, body })).status;
    const sockets = Array.from({ length: mostLargeBodies.ofMerchant }, () => hold(person));
    await until(
      () => {
        // The call itself may have taken the place of one of the others.
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

describe('large bodies whose client has hung up', () => {
  const path = '/api/merchant/payout-batches/check';
  const rows = Array.from({ length: 200 }, () => ({ payee: 'x'.repeat(100) }));
  const body = JSON.stringify({ channel: 'CN_BANK', rows });
  const connections = () =>
    new Promise<number>((resolve) => product.app.server.getConnections((_error, count) => resolve(count)));
  const looking = async () => {
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
      const sockets = Array.from({ length: mostLargeBodies.ofMerchant + tooMany }, begin);
      await until(
        async () => refused,
        (count) => count === tooMany,
      );
      await until(looking, (count) => count > 0);
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
    ['as it is', text],
    ['behind many blanks', ' '.repeat(100) + text],
    ['behind a byte order mark', `\ufeff${text}`],
  ])('is read whole %s', async (_name, body) => {
    const path = '/api/merchant/payout-batches/check';
    const { status, json } = await send({ path, from: person, body });
    expect([status, json.data?.count]).toEqual([200, 100]);
  });
});
