import { createHash, createHmac } from 'node:crypto';
import { testCallsPerMinute } from '@hengfu/contract/test-calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { tries } from '#domain/throttle-keys.ts';
import { type TestMerchant, TestProduct, testPassword } from '../../testing/test-product.ts';
import type { Visitor } from '../../testing/visitor.ts';

let product: TestProduct;
let live: TestMerchant;
let twin: { id: bigint; code: string };
let developer: Visitor;
let key: { id: string; secret: string };
let count = 0;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { bank: true });
});
afterAll(async () => {
  expect(await product.violations()).toEqual([]);
  await product.close();
});
beforeEach(async () => {
  live = await product.merchant(`calls${++count}`);
  developer = await product.person(live, 'DEVELOPER');
  developer.merchant = live.code;
  await developer.send('PUT', '/api/merchant/test-mode', { isOn: true });
  twin = await product.services.testMode.open(live.id);
  developer.merchant = twin.code;
  key = await testKey(twin);
});

/** Gives a test merchant an access key. */
async function testKey({ id, code }: { id: bigint; code: string }) {
  const made = { id: `ak_test_${code}`, secret: `sk_${code}` };
  await product.admin().addAccessKey(id, made.id, made.secret);
  return made;
}

const send = (body: object, visitor = developer) =>
  visitor.post('/api/merchant/test-calls', { keyId: key.id, ...body });
const create = (outTradeNo: string, more: object = {}) => ({
  method: 'POST',
  path: '/openapi/v1/collections',
  body: JSON.stringify({ out_trade_no: outTradeNo, amount: '10.00', currency: 'CNY' }),
  ...more,
});
const get = (path: string) => ({ method: 'GET', path: `/openapi/v1${path}` });
const rows = async <T>(statement: ReturnType<typeof sql<T>>): Promise<T[]> =>
  (await product.services.database.asSystem((tx) => statement.execute(tx.query))).rows;
const ordersOf = (merchantId: bigint) =>
  rows(sql<{ number: string }>`
    select out_trade_no as number from collection where merchant_id = ${merchantId} order by 1`);

describe('a call of the Open API that a person makes in test mode', () => {
  it('is signed as the document says, and creates an order of the test merchant', async () => {
    const { status, json } = await send(create('tried'));
    expect(status).toBe(200);
    const { signed, headers, reply } = json.data;
    expect(reply.status).toBe(201);
    const order = JSON.parse(reply.body);
    expect([order.out_trade_no, order.status]).toEqual(['tried', 'toBePaid']);
    const hash = createHash('sha256').update(create('tried').body).digest('hex');
    const { 'X-Timestamp': timestamp, 'X-Nonce': nonce } = headers;
    expect(signed).toEqual(['POST', '/openapi/v1/collections', timestamp, nonce, hash]);
    const expected = createHmac('sha256', key.secret).update(signed.join('\n')).digest('hex');
    expect(headers).toMatchObject({ 'X-Key': key.id, 'X-Signature': expected });
    expect(reply.headers).toMatchObject({
      'hengfu-version': '2026-11-25',
      'x-request-id': reply.request_id,
    });
    expect(JSON.stringify(json)).not.toContain(key.secret);
    expect(await ordersOf(twin.id)).toEqual([{ number: 'tried' }]);
    expect(await ordersOf(live.id)).toEqual([]);
  });

  it('is in the request log under the number that the reply has', async () => {
    const { json } = await send(create('logged'));
    await expect
      .poll(async () => (await developer.get(`/api/merchant/requests/${json.data.reply.request_id}`)).status)
      .toBe(200);
    const { data } = (await developer.get(`/api/merchant/requests/${json.data.reply.request_id}`)).json;
    expect(data).toMatchObject({ keyId: key.id, status: 201, out_trade_no: 'logged', address: '127.0.0.1' });
  });

  it('is refused as one of the merchant’s system would be, and the reply says why', async () => {
    const replyTo = async (body: object) => {
      const { reply } = (await send(body)).json.data;
      return [reply.status, JSON.parse(reply.body).code];
    };
    expect(await replyTo(create('bad', { body: '{"amount": 1' }))).toEqual([400, 'bad_request']);
    expect(await replyTo(create('bad', { body: '{}' }))).toEqual([422, 'validation_failed']);
    expect(await replyTo(get('/collections/C1'))).toEqual([404, 'not_found']);
    expect(await replyTo(get('/nothing/here'))).toEqual([404, 'not_found']);
    const allow = (blocks: string) =>
      rows(sql`update merchant set allowed_addresses = ${blocks}::cidr[] where id = ${twin.id}`);
    await allow('{203.0.113.0/24}');
    expect(await replyTo(get('/balance'))).toEqual([403, 'address_not_allowed']);
    await allow('{127.0.0.1}');
    expect((await send(get('/balance'))).json.data.reply.status).toBe(200);
    await rows(sql`update access_key set scopes = '{balance}' where key_id = ${key.id}`);
    expect(await replyTo(create('bad'))).toEqual([403, 'key_scope']);
  });

  it('can be repeated with the same key, and gets the first reply', async () => {
    const first = (await send(create('once', { idempotencyKey: 'k-1' }))).json.data.reply;
    const again = (await send(create('once', { idempotencyKey: 'k-1' }))).json.data.reply;
    expect(again.body).toBe(first.body);
    expect(again.headers['idempotency-replayed']).toBe('true');
  });

  it('makes the person one who knows the key, so that they cannot approve what was asked for with it', async () => {
    const readers = () => rows(sql`select from access_key_reader where key_id = ${key.id}`);
    await send(get('/balance'));
    expect(await readers()).toHaveLength(0);
    await send(create('asked'));
    expect(await readers()).toHaveLength(1);
  });

  it('is in the audit trail, without what may be a secret in its path', async () => {
    await send(create('audited'));
    await send(create('audited', { path: `/openapi/v1/refunds/${key.secret}?a=${key.secret}` }));
    const trail = await rows(
      sql`select subject, after from audit where merchant_id = ${twin.id} and action = 'test_mode.call' order by id`,
    );
    expect(trail).toEqual([
      { subject: key.id, after: { call: 'POST /openapi/v1/collections' } },
      { subject: key.id, after: { call: 'POST /openapi/v1/refunds/***' } },
    ]);
  });
});

describe('nobody can use it', () => {
  it('in live mode, for live keys, or for keys of others', async () => {
    expect((await send(create('a', { keyId: live.program.key.id }))).json.code).toBe('not_found');
    const other = await product.merchant(`others${count}`);
    const theirs = await testKey(await product.services.testMode.open(other.id));
    for (const keyId of [theirs.id, 'ak_test_nobody', ''])
      expect((await send(create('b', { keyId }))).json.code, keyId).toBe('not_found');
    await rows(sql`update access_key set revoked_at = now() where key_id = ${key.id}`);
    expect((await send(create('c'))).json.code).toBe('not_found');
    await developer.send('PUT', '/api/merchant/test-mode', { isOn: false });
    developer.merchant = live.code;
    for (const keyId of [key.id, live.program.key.id]) {
      const { status, json } = await send(create('d', { keyId }));
      expect([status, json.code]).toEqual([403, 'test_mode_only']);
    }
    expect([await ordersOf(live.id), await ordersOf(twin.id), await ordersOf(other.id)]).toEqual([
      [],
      [],
      [],
    ]);
  });

  it('without the permission', async () => {
    const finance = await product.person(live, 'FINANCE');
    finance.merchant = live.code;
    await finance.send('PUT', '/api/merchant/test-mode', { isOn: true });
    finance.merchant = twin.code;
    expect((await send(create('a'), finance)).json.code).toBe('forbidden');
  });

  it.each([
    '/api/merchant/team',
    '/openapi/v1/balance?',
    '/openapi/v1/../../api/me',
    '/openapi/v1/%2e%2e/%2e%2e/api/me',
    '/openapi/v1/..%2f..%2fapi/me',
    '/openapi/v1\\..\\..\\api\\me',
    '/openapi/v2/balance',
    '/openapi/v1//balance',
    '/openapi/v1/balance/',
    '/openapi/v1/balance#a',
    '/openapi/v1/balance?a=1\r\nX-Key: ak',
    '/openapi/v1/balance ',
    '//evil.test/openapi/v1/balance',
    'http://evil.test/openapi/v1/balance',
    '@evil.test/openapi/v1/balance',
    `/openapi/v1/${'a'.repeat(2000)}`,
    '',
    7,
    ['/openapi/v1/balance'],
  ])('for the path %j', async (path) => {
    const { status, json } = await send({ method: 'GET', path });
    expect([status, json.code, Object.keys(json.errors)]).toEqual([422, 'validation_failed', ['path']]);
  });

  it('with a body that is too large, another method, or a header of their own', async () => {
    const large = await send(create('a', { body: 'x'.repeat(8193) }));
    expect([large.status, Object.keys(large.json.errors)]).toEqual([422, ['body']]);
    expect((await send(create('a', { body: 'x'.repeat(20_000) }))).status).toBe(413);
    expect((await send(create('a', { method: 'DELETE' }))).status).toBe(422);
    expect((await send(create('a', { headers: { 'x-forwarded-for': '203.0.113.9' } }))).status).toBe(422);
    for (const idempotencyKey of ['', 'x'.repeat(65), 'a\r\nX-Key: b', 'ключ'])
      expect((await send(create('a', { idempotencyKey }))).status, idempotencyKey).toBe(422);
    expect(await ordersOf(twin.id)).toEqual([]);
  });

  it('more often than the limit, also at once and after a wipe', async () => {
    const owner = await product.person(live, 'MERCHANT_ADMIN');
    const at = (number: number) => send(create(`n${number}`));
    const twenty = await Promise.all(Array.from({ length: 20 }, (_, index) => at(index)));
    // A busy machine may say 503 to some, which then have done nothing.
    const made = twenty.filter(({ status }) => status === 200);
    expect(twenty.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
    expect(made.length).toBeGreaterThan(0);
    for (const { json } of made) expect(json.data.reply.status).toBe(201);
    expect(await ordersOf(twin.id)).toHaveLength(made.length);
    const calls = testCallsPerMinute - 2;
    await rows(sql`update sign_in_throttle set failures = ${calls} where key = ${tries.testCalls(live.id)}`);
    const more = await Promise.all(Array.from({ length: 5 }, (_, index) => at(100 + index)));
    const refused = more.filter(({ status }) => status === 429);
    expect([refused.length, refused[0]?.json.code]).toEqual([3, 'too_many_attempts']);
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
    const admitted = more.filter(({ status }) => status === 200);
    expect(await ordersOf(twin.id)).toHaveLength(made.length + admitted.length);
    // Wiping does not start the count over.
    owner.merchant = live.code;
    await owner.send('PUT', '/api/merchant/test-mode', { isOn: true });
    owner.merchant = twin.code;
    await owner.post('/api/user/confirm-password', { password: testPassword });
    expect((await owner.send('DELETE', '/api/merchant/test-mode/data')).status).toBe(204);
    const opened = await product.services.testMode.open(live.id);
    owner.merchant = opened.code;
    const { id: keyId } = await testKey(opened);
    expect((await send(create('anew', { keyId }), owner)).json.code).toBe('too_many_attempts');
  });
});
