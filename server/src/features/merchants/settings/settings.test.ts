import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { bankPayout } from '../../../testing/bank-payout.ts';
import { type TestMerchant, TestProduct } from '../../../testing/test-product.ts';
import { TestStaff } from '../../../testing/test-staff.ts';
import type { Visitor } from '../../../testing/visitor.ts';

const path = '/api/staff/merchants';
const paymentPassword = '888888';

let product: TestProduct;
let staff: TestStaff;
let admin: Visitor;
let finance: Visitor;
let support: Visitor;
let merchants = 0;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { bank: true });
  staff = await TestStaff.start(product);
  admin = await staff.member('admin', 'ADMIN');
  finance = await staff.member('finance', 'FINANCE');
  support = await staff.member('support', 'SUPPORT', 'REVIEWER');
});
afterAll(async () => {
  expect(await product.violations()).toEqual([]);
  expect(await product.deadlocks()).toBe(0);
  await staff.close();
  await product.close();
});

const approve = (by: Visitor, request: string) => by.post(`/api/staff/requests/${request}/approve`, {});
const settingsOf = async (code: string) => (await support.get(`${path}/${code}/terms`)).json.data;

describe('limits', () => {
  const none = { payout: '', payoutsOfDay: '', withdrawalsOfDay: '', collection: '', reason: 'new contract' };
  const ask = (by: Visitor, code: string, limits: object) =>
    by.post(`${path}/${code}/limits`, { ...none, ...limits });
  /** A merchant with funds of 9,940.00 and limits. */
  async function limited(limits: object): Promise<TestMerchant> {
    const merchant = await product.merchant(`limited${++merchants}`);
    await product.fund(merchant, '10000.00');
    await set(merchant, limits);
    return merchant;
  }
  async function set({ code }: TestMerchant, limits: object): Promise<void> {
    const asked = await ask(finance, code, limits);
    expect([asked.status, asked.json.errors]).toEqual([201, undefined]);
    expect((await approve(admin, asked.json.data.request)).status).toBe(200);
  }
  let count = 0;
  const payout = (merchant: TestMerchant, amount: string) =>
    merchant.program.post('/openapi/v1/payouts', {
      ...bankPayout(`pay-${++count}`, amount),
      confirmSimilar: true,
    });
  const refusal = { status: 409, json: { code: 'limit_exceeded' } };

  it('are set by two people, read by the merchant in its audit log, and refused where they are wrong', async () => {
    const merchant = await product.merchant('two');
    for (const [field, wrong] of [
      ['payout', '0'],
      ['payout', '-1'],
      ['collection', '1.001'],
      ['payoutsOfDay', 'much'],
      ['reason', ' '],
    ] as const) {
      const { status, json } = await ask(finance, 'two', { [field]: wrong });
      expect([field, status, Object.keys(json.errors)]).toEqual([field, 422, [field]]);
    }
    expect((await ask(support, 'two', {})).json.code).toBe('forbidden');
    expect((await ask(finance, 'nobody', {})).json.code).toBe('not_found');
    const asked = (await ask(finance, 'two', { payout: '500', collection: '1000.50' })).json.data.request;
    expect((await ask(admin, 'two', {})).json.code).toBe('request_waiting');
    expect((await admin.get(`/api/staff/requests/${asked}`)).json.data).toMatchObject({
      kind: 'merchantLimits',
      facts: [
        { name: 'payoutLimit', before: null, after: '500.00 CNY' },
        { name: 'payoutDayLimit', before: null, after: null },
        { name: 'withdrawalDayLimit', before: null, after: null },
        { name: 'collectionLimit', before: null, after: '1000.50 CNY' },
      ],
    });
    expect((await approve(finance, asked)).json.code).toBe('own_request');
    const decisions = await Promise.all(Array.from({ length: 20 }, () => approve(admin, asked)));
    expect(decisions.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await settingsOf('two')).limits).toEqual({
      payout: '500.00',
      payoutsOfDay: null,
      withdrawalsOfDay: null,
      collection: '1000.50',
    });
    const person = await product.person(merchant);
    const { data } = (await person.get('/api/merchant/audit-log?action=merchant_limits')).json;
    expect(data).toMatchObject([{ actorKind: 'staff', actor: null }]);
    expect(data[0].changes).toEqual([
      { field: 'payoutLimit', before: null, after: '500.00 CNY' },
      { field: 'collectionLimit', before: null, after: '1000.50 CNY' },
    ]);
  });

  it('that have changed since they were read are not set', async () => {
    await product.merchant('raced');
    const { request } = (await ask(finance, 'raced', { payout: '10' })).json.data;
    const { id } = await product.services.database.asSystem(async (tx) => {
      const { rows } = await sql<{ id: bigint }>`
        update merchant set payout_limit_minor = 700 where code = 'raced' returning id`.execute(tx.query);
      return rows[0] ?? { id: 0n };
    });
    expect(id).not.toBe(0n);
    expect((await approve(admin, request)).json.code).toBe('approval_changed');
    expect((await settingsOf('raced')).limits.payout).toBe('7.00');
  });

  it('are not asked for by somebody who has seen others', async () => {
    await product.merchant('stale');
    const { limits: seen } = await settingsOf('stale');
    const { request } = (await ask(finance, 'stale', { payout: '10', seen })).json.data;
    expect((await approve(admin, request)).status).toBe(200);
    const late = await ask(finance, 'stale', { collection: '20', seen });
    expect([late.status, late.json.code]).toEqual([409, 'conflict']);
    const { limits: now } = await settingsOf('stale');
    expect(now).toMatchObject({ payout: '10.00', collection: null });
    expect((await ask(finance, 'stale', { payout: '10', collection: '20', seen: now })).status).toBe(201);
  });

  it('of a test merchant are those of its live one', async () => {
    const { id } = await product.merchant('followed');
    const { code } = await product.services.testMode.open(id);
    const cycle = { cycle: 'daily', weekday: 'monday', cutOff: '18:30', reason: 'x' };
    const fees = { collectionRate: '1', collectionFixed: '0', payoutRate: '1', payoutFixed: '0' };
    const refused = [
      await ask(finance, code, { payout: '1' }),
      await finance.post(`${path}/${code}/settlement`, cycle),
      await finance.post(`${path}/${code}/channel-terms`, { ...fees, channel: 'CN_BANK', reason: 'x' }),
      await finance.post(`${path}/${code}/withdrawal-terms`, {
        fee: '1',
        freePerDay: '1',
        minimum: '1',
        reason: 'x',
      }),
      await finance.post(`${path}/${code}/suspension`, { reason: 'x' }),
      await finance.post(`${path}/${code}/reactivation`, { reason: 'x' }),
    ];
    expect(refused.map(({ json }) => json.code)).toEqual(Array(6).fill('follows_live'));
  });

  it('of a payout count for each, in the console, too', async () => {
    const merchant = await limited({ payout: '100' });
    expect((await payout(merchant, '100')).status).toBe(201);
    expect(await payout(merchant, '100.01')).toMatchObject(refusal);
    const person = await product.person(merchant);
    await person.post('/api/user/confirm-password', { password: 'Test-pass-2026' });
    const password = { payment_password: paymentPassword, payment_password_confirmation: paymentPassword };
    await person.send('PUT', '/api/merchant/payment-password', password);
    const order = {
      channel: 'CN_BANK',
      payee: '王芳',
      bank: 'ICBC',
      bankName: '中国工商银行',
      payeeAccount: '6222021234567890128',
    };
    const apply = (amount: string) =>
      person.post('/api/merchant/payouts', { ...order, amount, payment_password: paymentPassword });
    expect(await apply('150')).toMatchObject(refusal);
    expect((await apply('99')).status).toBe(201);
    await set(merchant, {});
    expect((await payout(merchant, '150')).status).toBe(201);
  });

  it('of a day’s payouts hold for twenty at once, and rejected ones do not count', async () => {
    const merchant = await limited({ payoutsOfDay: '100' });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, each) => payout(merchant, `${10 + each / 100}`)),
    );
    const taken = answers.filter(({ status }) => status === 201);
    // The nine smallest come to less than a hundred, and any ten to more.
    expect(taken).toHaveLength(9);
    for (const answer of answers.filter(({ status }) => status !== 201))
      expect(answer).toMatchObject({
        ...refusal,
        json: { ...refusal.json, details: { limit: 'payoutsOfDay' } },
      });
    expect(await payout(merchant, '10')).toMatchObject(refusal);
    await product.services.payouts.rejectUnsent(taken[0]?.json.trade_no, 'operator:test', 'not made by us');
    expect((await payout(merchant, '9')).status).toBe(201);
    // An order that alone is too large takes nothing from the others.
    const free = await limited({ payoutsOfDay: '100' });
    const mixed = await Promise.all(['150', '60', '30'].map((amount) => payout(free, amount)));
    expect(mixed.map(({ status }) => status)).toEqual([409, 201, 201]);
    // Another merchant is not affected.
    expect((await payout(await limited({}), '1000')).status).toBe(201);
  });

  it('of a collection refuse new ones, and change no earlier one', async () => {
    const merchant = await limited({});
    const create = (outTradeNo: string, amount: string) =>
      merchant.program.create(outTradeNo, { amount, channel: 'CN_BANK' });
    const first = await create('first', '300.00');
    expect(first.status).toBe(201);
    await set(merchant, { collection: '200' });
    expect(await create('second', '200.01')).toMatchObject(refusal);
    expect((await create('third', '200.00')).status).toBe(201);
    expect((await create('first', '300.00')).json.trade_no).toBe(first.json.trade_no);
  });

  it('of a day’s withdrawals hold for twenty at once', async () => {
    await product.services.withdrawalTerms.setRate('CNY', '7', 'operator:test');
    const merchant = await limited({ withdrawalsOfDay: '210' });
    const terms = { feeUsdtMinor: 0n, freePerDay: 2, minimumUsdtMinor: 1n };
    await product.services.withdrawalTerms.setTerms(merchant.id, terms, 'operator:test');
    const person = await product.person(merchant);
    await person.post('/api/user/confirm-password', { password: 'Test-pass-2026' });
    const password = { payment_password: paymentPassword, payment_password_confirmation: paymentPassword };
    await person.send('PUT', '/api/merchant/payment-password', password);
    const apply = () =>
      person.post('/api/merchant/withdrawals', {
        amount: '10',
        unit: 'usdt',
        network: 'TRC20',
        address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
        payment_password: paymentPassword,
      });
    const answers = await Promise.all(Array.from({ length: 20 }, apply));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(answers.filter(({ json }) => json.code === 'limit_exceeded').length).toBeGreaterThan(0);
    expect(await apply()).toMatchObject(refusal);
  });
});

describe('the settlement cycle', () => {
  const ask = (by: Visitor, code: string, body: object = {}) =>
    by.post(`${path}/${code}/settlement`, {
      cycle: 'weekly',
      weekday: 'friday',
      cutOff: '18:30',
      reason: 'asked for',
      ...body,
    });
  const next = async (cycle: string, weekday: number | null, after: string) => {
    const { rows } = await product.services.database.asSystem((tx) =>
      sql<{
        at: Date;
      }>`select next_settlement('Asia/Shanghai', '18:30', ${cycle}, ${weekday}::smallint, ${after}::timestamptz) as at`.execute(
        tx.query,
      ),
    );
    return rows[0]?.at.toISOString();
  };

  it('has the next cut-off on a day of the cycle', async () => {
    // 2026-01-30 is a Friday; 18:30 in Shanghai is 10:30 UTC.
    expect(await next('daily', null, '2026-01-30T10:29:00Z')).toBe('2026-01-30T10:30:00.000Z');
    expect(await next('daily', null, '2026-01-30T10:30:00Z')).toBe('2026-01-31T10:30:00.000Z');
    expect(await next('workdays', null, '2026-01-30T10:30:00Z')).toBe('2026-02-02T10:30:00.000Z');
    expect(await next('weekly', 5, '2026-01-30T10:29:00Z')).toBe('2026-01-30T10:30:00.000Z');
    expect(await next('weekly', 5, '2026-01-30T10:30:00Z')).toBe('2026-02-06T10:30:00.000Z');
    expect(await next('weekly', 7, '2026-01-30T10:30:00Z')).toBe('2026-02-01T10:30:00.000Z');
  });

  it('is not asked for by somebody who has seen another', async () => {
    await product.merchant('cycled');
    const { settlement: seen } = await settingsOf('cycled');
    const { request } = (await ask(finance, 'cycled', { seen })).json.data;
    expect((await approve(admin, request)).status).toBe(200);
    const late = await ask(finance, 'cycled', { cutOff: '19:00', seen });
    expect([late.status, late.json.code]).toEqual([409, 'conflict']);
    const { settlement: now } = await settingsOf('cycled');
    expect((await ask(finance, 'cycled', { cutOff: '19:00', seen: now })).status).toBe(201);
  });

  it('is set by two people, and counts from the planned cut-off on', async () => {
    const merchant = await product.merchant('weekly');
    const before = (await settingsOf('weekly')).settlement;
    for (const [field, wrong] of [
      ['cycle', 'monthly'],
      ['weekday', '8'],
      ['cutOff', '24:00'],
      ['reason', ''],
    ] as const)
      expect(Object.keys((await ask(finance, 'weekly', { [field]: wrong })).json.errors)).toEqual([field]);
    expect((await ask(support, 'weekly')).json.code).toBe('forbidden');
    const { request } = (await ask(finance, 'weekly')).json.data;
    expect((await ask(admin, 'weekly')).json.code).toBe('request_waiting');
    expect((await admin.get(`/api/staff/requests/${request}`)).json.data.facts).toEqual([
      { name: 'settlementCycle', before: 'daily', after: 'weekly-friday' },
      { name: 'cutOff', before: before.cutOff, after: '18:30' },
    ]);
    expect((await approve(finance, request)).json.code).toBe('own_request');
    expect((await approve(admin, request)).status).toBe(200);
    const planned = (await settingsOf('weekly')).settlement;
    const changed = { cycle: 'weekly', weekday: 'friday', cutOff: '18:30' };
    const [first] = before.versions;
    expect(planned).toEqual({
      ...before,
      ...changed,
      versions: [{ ...changed, validFrom: before.nextAt, isInForce: false }, first],
    });
    await product.services.database.asSystem((tx) =>
      sql`update merchant set next_settlement_at = date_trunc('minute', now()) where id = ${merchant.id}`.execute(
        tx.query,
      ),
    );
    await product.services.settlements.runDue();
    const { nextAt, versions } = (await settingsOf('weekly')).settlement;
    // The cut-off that was planned then is later than the one that this test made due.
    expect(versions[0].validFrom).toBe(before.nextAt);
    const local = new Intl.DateTimeFormat('en-GB', {
      timeZone: 'Asia/Shanghai',
      weekday: 'long',
      hour: '2-digit',
      minute: '2-digit',
    });
    expect(local.format(new Date(nextAt))).toBe('Friday 18:30');
    const person = await product.person(merchant);
    const { data } = (await person.get('/api/merchant/audit-log?action=merchant_settlement')).json;
    expect(data[0].changes).toContainEqual({
      field: 'settlementCycle',
      before: 'daily',
      after: 'weekly-friday',
    });
  });
});
