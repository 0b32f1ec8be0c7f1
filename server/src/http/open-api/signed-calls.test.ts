import { apiVersions } from '@hengfu/contract/open-api';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';

const oldest = apiVersions[0].name;
const problem = 'application/problem+json; charset=utf-8';
const balance = '/openapi/v1/balance';

let product: TestProduct;
let merchant: TestMerchant;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  merchant = await product.merchant('signed');
});
afterAll(() => product.close());

describe('an error of a signed call', () => {
  it('is a problem that links its page, and keeps the fields of other errors', async () => {
    const { status, headers, json } = await merchant.program.get('/openapi/v1/collections/C1');
    expect([status, headers.get('content-type')]).toEqual([404, problem]);
    expect(json).toEqual({
      type: `${product.url}/docs/errors/not_found`,
      title: 'Not found',
      status: 404,
      detail: 'Not found.',
      instance: `urn:uuid:${headers.get('x-request-id')}`,
      message: 'Not found.',
      code: 'not_found',
      request_id: headers.get('x-request-id'),
    });
  });

  it('has its title and detail in the language that the caller asks for, and the same type', async () => {
    const ask = (language: string) =>
      merchant.program.post('/openapi/v1/collections', {}, { headers: { 'accept-language': language } });
    const answers = await Promise.all(['en', 'zh-CN', 'vi'].map(ask));
    expect(answers.map(({ json }) => json.title)).toEqual([
      'Invalid input',
      '输入无效',
      'Dữ liệu không hợp lệ',
    ]);
    expect(new Set(answers.map(({ json }) => json.type)).size).toBe(1);
    for (const { json } of answers) expect(json.detail).toBe(json.message);
    expect(Object.keys(answers[0]?.json.errors)).toContain('amount');
  });

  it.each([
    ['without a signature', balance, 401],
    ['of no call', '/openapi/v1/nothing', 404],
    ['with a URL that cannot be decoded', '/openapi/v1/%zz', 400],
    ['with a query that is not UTF-8', `${balance}?a=%ff`, 400],
  ])('%s is a problem, too', async (_, path, expected) => {
    const response = await fetch(product.url + path);
    expect([response.status, response.headers.get('content-type')]).toEqual([expected, problem]);
    expect(await response.json()).toMatchObject({
      status: expected,
      type: expect.stringMatching(/\/docs\/errors\/\w+$/),
    });
  });

  it('of the console keeps its shape', async () => {
    const { headers, json } = await product.visitor().get('/api/merchant/user');
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(Object.keys(json).sort()).toEqual(['code', 'message', 'request_id']);
  });
});

describe('the version', () => {
  it('is the oldest one for a call that names none, and every reply names it', async () => {
    for (const headers of [{}, { 'hengfu-version': oldest }]) {
      const answer = await merchant.program.get(balance, { headers });
      expect([answer.status, answer.headers.get('hengfu-version')]).toEqual([200, oldest]);
    }
    const refused = await merchant.program.get('/openapi/v1/collections/C1');
    expect(refused.headers.get('hengfu-version')).toBe(oldest);
  });

  it.each(['2020-01-01', '', 'latest', `${oldest}, ${oldest}`, 'x'.repeat(5000)])(
    '%.20s is refused, and the call does nothing',
    async (version) => {
      const outTradeNo = `version-${version.length}`;
      const answer = await merchant.program.create(
        outTradeNo,
        {},
        { headers: { 'hengfu-version': version } },
      );
      expect([answer.status, answer.json.code]).toEqual([400, 'unknown_version']);
      expect(answer.json.details).toEqual({ versions: [oldest] });
      expect(answer.json.message.length).toBeLessThan(200);
      const found = await merchant.program.get(`/openapi/v1/collections?out_trade_no=${outTradeNo}`);
      expect(found.status).toBe(404);
    },
  );

  it('is named only to callers who sign', async () => {
    const response = await fetch(product.url + balance, { headers: { 'hengfu-version': 'none' } });
    expect([response.status, response.headers.get('hengfu-version')]).toEqual([401, null]);
    expect(await response.json()).toMatchObject({ code: 'signature_missing' });
  });
});

describe('the limit of calls', () => {
  it('stands in every reply: its policy, and what is left', async () => {
    const other = await product.merchant('counted');
    const left: number[] = [];
    for (let call = 0; call < 3; call++) {
      const { headers } = await other.program.get(balance);
      expect(headers.get('ratelimit-policy')).toBe('"calls";q=60000;w=60');
      const [, rest] = /^"calls";r=(\d+);t=\d+$/.exec(headers.get('ratelimit') ?? '') ?? [];
      left.push(Number(rest));
    }
    expect(left[0]).toBe(59_999);
    for (const each of left) expect(each).toBeGreaterThan(59_990);
    const unsigned = await fetch(product.url + balance);
    expect(unsigned.headers.get('ratelimit')).toBeNull();
  });

  it('refuses more calls, of this merchant alone, before anything is read or a nonce is used up', async () => {
    const small = await TestProduct.start(inject('ownerUrl'), {
      env: { SIGNED_CALLS_PER_MINUTE: '3', SIGNED_LISTS_PER_MINUTE: '2' },
    });
    try {
      const busy = await small.merchant('busy');
      const calm = await small.merchant('calm');
      const statuses: number[] = [];
      for (let call = 0; call < 3; call++) statuses.push((await busy.program.get(balance)).status);
      expect(statuses).toEqual([200, 200, 200]);
      const options = { nonce: 'nonce-of-a-call-too-many', timestamp: String(Math.floor(Date.now() / 1000)) };
      const refused = await busy.program.create('too-many', {}, options);
      expect([refused.status, refused.json.code]).toEqual([429, 'too_many_requests']);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(20);
      expect(refused.headers.get('ratelimit')).toMatch(/^"calls";r=0;t=\d+$/);
      expect(refused.headers.get('x-ratelimit-limit')).toBe('3');
      // Lists have a limit of their own, and other merchants theirs.
      const list = () => busy.program.get('/openapi/v1/collections/list');
      const lists = [await list(), await list(), await list()];
      expect(lists.map(({ status }) => status)).toEqual([200, 200, 429]);
      expect(lists[0]?.headers.get('ratelimit-policy')).toBe('"lists";q=2;w=60');
      expect(lists[0]?.json.items).toEqual([]);
      expect((await calm.program.create('calm', {}, options)).status).toBe(201);
    } finally {
      await small.close();
    }
  });

  it('is not used up by anyone without the secret', async () => {
    const small = await TestProduct.start(inject('ownerUrl'), { env: { SIGNED_CALLS_PER_MINUTE: '2' } });
    try {
      const victim = await small.merchant('victim');
      for (let call = 0; call < 5; call++) {
        const forged = await victim.program.get(balance, { headers: { 'x-signature': 'f'.repeat(64) } });
        expect(forged.json.code).toBe('signature_invalid');
      }
      expect((await victim.program.get(balance)).status).toBe(200);
    } finally {
      await small.close();
    }
  });
});
