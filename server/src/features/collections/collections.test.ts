import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';
import type { Visitor } from '../../testing/visitor.ts';

let product: TestProduct;
let merchant: TestMerchant;
let person: Visitor;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  merchant = await product.merchant('shop');
  person = await product.person(merchant);
});
afterAll(() => product.close());

describe('creating a collection', () => {
  it('returns the order with a checkout link', async () => {
    const { status, json } = await merchant.program.create('first', { subject: 'Tea', amount: '12.34' });
    expect(status).toBe(201);
    expect(json).toMatchObject({
      out_trade_no: 'first',
      status: 'toBePaid',
      amount: '12.34',
      subject: 'Tea',
      refundPending: false,
    });
    expect(json.cashierUrl).toMatch(new RegExp(`^${product.url}/pay/[\\w-]{26}$`));
    expect(json.trade_no).toMatch(/^C\d{21}$/);
    expect(Date.parse(json.expiresAt) - Date.parse(json.createdAt)).toBe(1_800_000);
  });

  it('creates one order from 200 concurrent calls with the same number', async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, () => merchant.program.create('crowd')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ json }) => json.trade_no)).size).toBe(1);
    const list = await person.get('/api/merchant/collections?out_trade_no=crowd');
    expect(list.json.total).toEqual({ count: 1, exact: true });
  });

  it('refuses the same number with a different body', async () => {
    await merchant.program.create('taken');
    const answer = await merchant.program.create('taken', { amount: '100.01' });
    expect([answer.status, answer.json.code]).toEqual([409, 'out_trade_no_used']);
  });

  it('lets two merchants use the same number', async () => {
    const other = await product.merchant('same-number');
    expect((await merchant.program.create('shared')).status).toBe(201);
    expect((await other.program.create('shared')).status).toBe(201);
  });

  const bad = [
    '-1',
    '0',
    '0.00',
    '1e3',
    '0x10',
    '１００',
    '1,000',
    '1.001',
    '9'.repeat(40),
    '',
    ' 1',
    null,
    1,
    {},
    [],
  ];
  it.each(bad)('refuses the amount %j and changes nothing', async (amount) => {
    const before = await person.get('/api/merchant/collections');
    const answer = await merchant.program.create('bad-amount', { amount });
    expect([answer.status, answer.json.code]).toEqual([422, 'validation_failed']);
    expect(answer.json.errors.amount).toHaveLength(1);
    expect((await person.get('/api/merchant/collections')).json.total).toEqual(before.json.total);
  });

  it.each([
    ['a currency that is not the merchant’s', { currency: 'USD' }, 422, 'validation_failed'],
    ['a field that does not exist', { merchant_id: '1' }, 422, 'validation_failed'],
    ['a status', { status: 'paid' }, 422, 'validation_failed'],
    ['a callback URL that is not HTTP', { notifyUrl: 'file:///etc/passwd' }, 422, 'validation_failed'],
    ['a script as return URL', { returnUrl: 'javascript:alert(1)' }, 422, 'validation_failed'],
    ['a NUL character', { subject: 'a\0b' }, 422, 'validation_failed'],
    ['a lone surrogate', { subject: 'a\ud800' }, 422, 'validation_failed'],
    ['a channel that does not exist', { channel: 'NO_BANK' }, 409, 'channel_closed'],
  ])('refuses %s', async (_name, fields, status, code) => {
    const answer = await merchant.program.create('refused', fields);
    expect([answer.status, answer.json.code]).toEqual([status, code]);
  });

  it.each([
    ['prototype pollution', '{"out_trade_no":"p","amount":"1.00","currency":"CNY","__proto__":{"a":1}}', 400],
    ['JSON nested a thousand levels deep', `${'['.repeat(1000)}${']'.repeat(1000)}`, 422],
    ['broken JSON', '{"out_trade_no":', 400],
    ['a body of one megabyte', JSON.stringify({ subject: 'x'.repeat(1_048_576) }), 413],
  ])('answers %s with an error message', async (_name, body, status) => {
    const answer = await merchant.program.post('/openapi/v1/collections', body);
    expect(answer.status).toBe(status);
    expect(answer.json.message).not.toBe('');
  });

  it('returns errors in the requested language', async () => {
    const options = { headers: { 'accept-language': 'vi-VN,vi;q=0.9,en;q=0.5' } };
    const answer = await merchant.program.get('/openapi/v1/collections/none', options);
    expect(answer.json.message).toBe('Không tìm thấy.');
  });
});

describe('the list', () => {
  it('pages through every row once while new rows arrive, and pages back', async () => {
    const own = await product.merchant('paging');
    const reader = await product.person(own);
    for (let index = 0; index < 55; index++) await own.program.create(`p-${String(index).padStart(2, '0')}`);
    const seen: string[] = [];
    let path = '/api/merchant/collections?limit=20';
    const pages: { previous: string | null }[] = [];
    for (let page = 0; page < 3; page++) {
      const { json } = await reader.get(path);
      seen.push(...json.data.map((row: { out_trade_no: string }) => row.out_trade_no));
      pages.push(json);
      await own.program.create(`late-${page}`);
      if (json.next === null) break;
      path = `/api/merchant/collections?limit=20&cursor=${json.next}`;
    }
    expect(seen).toHaveLength(55);
    expect(new Set(seen).size).toBe(55);
    expect(pages[0]?.previous).toBeNull();
    const back = await reader.get(`/api/merchant/collections?limit=20&cursor=${pages[2]?.previous}`);
    expect(back.json.data.map((row: { out_trade_no: string }) => row.out_trade_no)).toEqual(
      seen.slice(20, 40),
    );
  });

  it('filters by every field', async () => {
    const own = await product.merchant('filters');
    const reader = await product.person(own);
    const { json: order } = await own.program.create('wanted', { amount: '55.00', channel: 'CN_BANK' });
    await own.program.create('unwanted', { amount: '5.00' });
    await own.program.post(
      `/openapi/v1/collections/${(await own.program.create('gone')).json.trade_no}/cancel`,
    );
    const day = 86_400_000;
    const iso = (offset: number) => encodeURIComponent(new Date(Date.now() + offset).toISOString());
    const counts: [string, number][] = [
      [`trade_no=${order.trade_no}`, 1],
      [`trade_no=${order.trade_no.slice(0, -1)}`, 1],
      [`trade_no=${order.trade_no.slice(0, 3)}`, 3],
      [`trade_no=${order.trade_no.slice(1)}`, 0],
      ['trade_no=%25', 0],
      ['out_trade_no=wanted', 1],
      ['out_trade_no=want', 1],
      ['out_trade_no=anted', 0],
      ['status=cancelled', 1],
      ['status=toBePaid,cancelled', 3],
      ['settlementStatus=unsettled', 0],
      ['channel=CN_BANK', 1],
      ['amountFrom=55&amountTo=55', 1],
      ['amountFrom=5.01', 2],
      [`createdFrom=${iso(-day)}&createdTo=${iso(day)}`, 3],
      [`createdTo=${iso(-day)}`, 0],
      [`paidFrom=${iso(-day)}`, 0],
      ['settlement_no=S1', 0],
    ];
    for (const [query, count] of counts) {
      const answer = await reader.get(`/api/merchant/collections?${query}`);
      expect([query, answer.json.total?.count]).toEqual([query, count]);
    }
    expect((await reader.get('/api/merchant/collections?amountFrom=5.01')).json.sum).toEqual({
      currency: 'CNY',
      amount: '155.00',
    });
  });

  it.each([
    'limit=7',
    'limit=20&limit=50',
    'status=nonsense',
    'cursor=nonsense!',
    'cursor=bm9uc2Vuc2U',
    'unknown=1',
    'amountFrom=abc',
    'createdFrom=yesterday',
    'trade_no=a%00b',
  ])('refuses ?%s', async (query) => {
    const answer = await person.get(`/api/merchant/collections?${query}`);
    expect([answer.status, answer.json.code]).toEqual([422, 'validation_failed']);
  });

  it('shows a merchant only its own orders', async () => {
    const other = await product.merchant('elsewhere');
    const theirs = await product.person(other);
    const { json: order } = await merchant.program.create('private');
    expect((await theirs.get('/api/merchant/collections')).json.data).toEqual([]);
    const found = await theirs.get(`/api/merchant/collections/${order.trade_no}`);
    const none = await theirs.get('/api/merchant/collections/C000000000000000000000');
    expect(found.status).toBe(404);
    expect({ ...found.json, request_id: '' }).toEqual({ ...none.json, request_id: '' });
  });
});

describe('cancelling', () => {
  it('cancels an unpaid order once, even when requested concurrently', async () => {
    const { json: order } = await merchant.program.create('to-cancel');
    const path = `/openapi/v1/collections/${order.trade_no}/cancel`;
    const answers = await Promise.all(Array.from({ length: 5 }, () => merchant.program.post(path)));
    expect(answers.map(({ json }) => json.status)).toEqual(Array(5).fill('cancelled'));
    const { json } = await person.get(`/api/merchant/collections/${order.trade_no}`);
    const moves = json.data.timeline.map((entry: { reason: string }) => entry.reason);
    expect(moves).toEqual(['created', 'cancelled_by_merchant']);
    expect(await product.violations()).toEqual([]);
    expect(await product.deadlocks()).toBe(0);
  });
});
