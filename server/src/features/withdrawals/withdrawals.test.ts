import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';
import type { Visitor } from '../../testing/visitor.ts';

let product: TestProduct;
let merchants = 0;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { bank: true });
  await product.services.withdrawalTerms.setRate('CNY', '7.15', 'operator:test');
});
afterAll(async () => {
  expect(await product.violations()).toEqual([]);
  expect(await product.deadlocks()).toBe(0);
  await product.close();
});

const path = '/api/merchant/withdrawals';
const tron = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const evm = '0xdAC17F958D2ee523a2206206994597C13D831ec7';
const transaction = () =>
  Array.from({ length: 64 }, () => Math.floor(Math.random() * 16).toString(16)).join('');
const paymentPassword = '888888';

const apply = (visitor: Visitor, amount: string, more: object = {}, key?: string) =>
  visitor.post(
    path,
    { amount, unit: 'usdt', network: 'TRC20', address: tron, payment_password: paymentPassword, ...more },
    key === undefined ? {} : { 'idempotency-key': key },
  );

/** A merchant with funds of 9,940.00 and terms: 1.5 USDT each, two free a day, at least 10 USDT. */
async function owner(): Promise<{ merchant: TestMerchant; visitor: Visitor }> {
  const merchant = await product.merchant(`drawer${++merchants}`);
  await product.fund(merchant, '10000.00');
  const terms = { feeUsdtMinor: 1_500_000n, freePerDay: 2, minimumUsdtMinor: 10_000_000n };
  await product.services.withdrawalTerms.setTerms(merchant.id, terms, 'operator:test');
  const visitor = await product.person(merchant);
  await visitor.post('/api/user/confirm-password', { password: 'Test-pass-2026' });
  const set = { payment_password: paymentPassword, payment_password_confirmation: paymentPassword };
  await visitor.send('PUT', '/api/merchant/payment-password', set);
  return { merchant, visitor };
}

const figures = async (visitor: Visitor): Promise<[string, string]> => {
  const { data } = (await visitor.get('/api/merchant/account')).json;
  return [data.available, data.locked];
};
const staff = 'operator:test';

describe('a withdrawal', () => {
  it('keeps its value in US dollars at the rate of its application, if there is one', async () => {
    const { visitor } = await owner();
    const dollarless = (await apply(visitor, '20')).json.data;
    expect([dollarless.usd, dollarless.usdRate]).toEqual([null, null]);
    await product.services.withdrawalTerms.setRate('USD', '0.9995', staff);
    expect((await visitor.get('/api/merchant/withdrawal-terms')).json.data.usdRate).toBe('0.9995');
    const { trade_no: no } = (await apply(visitor, '100.50')).json.data;
    await product.services.withdrawalTerms.setRate('USD', '2', staff);
    // 100.50 × 0.9995 = 100.44975, rounded down.
    expect((await visitor.get(`${path}/${no}`)).json.data).toMatchObject({
      usd: '100.44',
      usdRate: '0.9995',
    });
  });

  it('locks its total, is approved, paid by a transaction, and leaves the account', async () => {
    const { visitor } = await owner();
    expect((await visitor.get('/api/merchant/withdrawal-terms')).json.data).toMatchObject({
      currency: 'CNY',
      rate: '7.15',
      feeUsdt: '1.500000',
      freePerDay: 2,
      freeLeft: 2,
      minimumUsdt: '10.000000',
    });
    const answer = await apply(visitor, '100');
    expect(answer.status).toBe(201);
    const { trade_no: no, ...row } = answer.json.data;
    expect(row).toMatchObject({
      coin: 'USDT',
      usdt: '100.000000',
      feeUsdt: '0.000000',
      amount: '715.00',
      fee: '0.00',
    });
    expect(await figures(visitor)).toEqual(['9225.00', '715.00']);
    await product.services.withdrawalReview.approve(no, staff);
    const id = transaction();
    await product.services.withdrawalReview.pay(no, staff, id);
    const paid = (await visitor.get(`${path}/${no}`)).json.data;
    expect(paid).toMatchObject({ status: 'paid', transactionId: id, rate: '7.15' });
    expect(await figures(visitor)).toEqual(['9225.00', '0.00']);
    const { json } = await visitor.get(`${path}?status=paid&coin=USDT`);
    expect(json.data).toMatchObject([{ trade_no: no, coin: 'USDT' }]);
    expect((await visitor.get(`${path}?coin=BTC`)).json.errors).toEqual({
      coin: ['Please select one of the available options.'],
    });
    expect((await visitor.get('/api/merchant/withdrawal-addresses')).json.data).toEqual([
      { network: 'TRC20', address: tron },
    ]);
  });

  it('is refused if its total differs from the one shown to the person', async () => {
    const { visitor } = await owner();
    const outdated = await apply(visitor, '100', { total: '714.00' });
    expect([outdated.status, outdated.json.code]).toEqual([409, 'terms_changed']);
    expect((await apply(visitor, '100', { total: '715.00' })).status).toBe(201);
  });

  it('in local currency buys as much USDT as the amount pays for', async () => {
    const { visitor } = await owner();
    const { data } = (await apply(visitor, '1000.00', { unit: 'home' })).json;
    expect(data).toMatchObject({ amount: '1000.00', usdt: '139.860139' });
  });

  it('costs a fee from the third of a day on; a rejected one is returned in full and no longer counts', async () => {
    const { visitor } = await owner();
    const made = [];
    for (let count = 0; count < 3; count++) made.push((await apply(visitor, '20')).json.data);
    expect(made.map(({ feeUsdt }) => feeUsdt)).toEqual(['0.000000', '0.000000', '1.500000']);
    // 1.5 × 7.15 = 10.725, rounded up.
    expect(made[2].fee).toBe('10.73');
    await product.services.withdrawalReview.reject(made[2].trade_no, staff, 'wrong address');
    await product.services.withdrawalReview.reject(made[1].trade_no, staff, 'wrong address');
    expect(await figures(visitor)).toEqual(['9797.00', '143.00']);
    const rejected = (await visitor.get(`${path}/${made[2].trade_no}`)).json.data;
    expect(rejected).toMatchObject({ status: 'rejected', rejectReason: 'wrong address' });
    expect((await visitor.get('/api/merchant/withdrawal-terms')).json.data.freeLeft).toBe(1);
  });

  it('uses the last free one of the day once among concurrent applications', async () => {
    const { visitor } = await owner();
    await apply(visitor, '20');
    const answers = await Promise.all(Array.from({ length: 5 }, (_, index) => apply(visitor, `2${index}`)));
    const fees = answers.map(({ json }) => json.data?.feeUsdt);
    expect(fees.filter((fee) => fee === '0.000000')).toHaveLength(1);
    expect(fees.filter((fee) => fee === '1.500000')).toHaveLength(4);
  });

  it('refuses conflicting reviews that arrive at the same time', async () => {
    const { visitor } = await owner();
    const { trade_no: no } = (await apply(visitor, '20')).json.data;
    const { withdrawalReview: withdrawals } = product.services;
    const results = await Promise.allSettled([
      withdrawals.approve(no, staff),
      withdrawals.reject(no, staff, 'no'),
      withdrawals.approve(no, staff),
    ]);
    const won = results.filter(({ status }) => status === 'fulfilled');
    // An approved one can still be rejected, so an approval followed by a rejection makes two.
    expect(won.length).toBeGreaterThanOrEqual(1);
    const lost = results.filter((result) => result.status === 'rejected');
    for (const { reason } of lost) expect(reason).toMatchObject({ code: 'invalid_transition' });
    await expect(withdrawals.pay('W0', staff, transaction())).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is paid by a transaction on its own network that pays no other withdrawal', async () => {
    const { visitor } = await owner();
    const { withdrawalReview: withdrawals } = product.services;
    const [one, other] = [
      (await apply(visitor, '20')).json.data.trade_no,
      (await apply(visitor, '21')).json.data.trade_no,
    ];
    await expect(withdrawals.pay(one, staff, transaction())).rejects.toMatchObject({
      code: 'invalid_transition',
    });
    for (const no of [one, other]) await withdrawals.approve(no, staff);
    await expect(withdrawals.pay(one, staff, '0x12')).rejects.toMatchObject({ code: 'validation_failed' });
    const id = transaction();
    await withdrawals.pay(one, staff, id);
    await expect(withdrawals.pay(other, staff, id)).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('an application', () => {
  it('is refused with an error on the invalid field, and changes nothing', async () => {
    const { visitor } = await owner();
    const wrong: [string, object, string][] = [
      ['100', { network: 'DOGE' }, 'network'],
      ['100', { address: '' }, 'address'],
      ['100', { address: evm }, 'address'],
      ['100', { network: 'ERC20' }, 'address'],
      ['100', { network: 'ERC20', address: evm.replace('dAC', 'DAC') }, 'address'],
      ['100', { unit: 'gold' }, 'unit'],
      ...['0', '-1', '1e3', '0x10', '１００', '1,000', '100.0000001', '9'.repeat(40)].map(
        (amount): [string, object, string] => [amount, {}, 'amount'],
      ),
      ['9.999999', {}, 'amount'],
      ['100', { payment_password: 'wrong' }, 'payment_password'],
    ];
    for (const [amount, more, field] of wrong) {
      const answer = await apply(visitor, amount, more);
      expect([amount, more, answer.status, Object.keys(answer.json.errors ?? {})]).toEqual([
        amount,
        more,
        422,
        [field],
      ]);
    }
    expect((await apply(visitor, '100000')).json.code).toBe('insufficient_funds');
    expect(await figures(visitor)).toEqual(['9940.00', '0.00']);
  });

  it('is refused if the merchant has no terms', async () => {
    const merchant = await product.merchant(`closed${++merchants}`);
    const visitor = await product.person(merchant);
    expect((await visitor.get('/api/merchant/withdrawal-terms')).json.data).toBeNull();
    const answer = await apply(visitor, '100');
    expect([answer.status, answer.json.code]).toEqual([409, 'withdrawals_closed']);
  });

  it('with the same idempotency key is made once', async () => {
    const { visitor } = await owner();
    const first = await apply(visitor, '20', {}, 'key');
    const again = await apply(visitor, '20', {}, 'key');
    expect(again.json.data.trade_no).toBe(first.json.data.trade_no);
    // Only the reply of the repetition is marked as an earlier one.
    const marks = [first, again].map(({ headers }) => headers.get('idempotency-replayed'));
    expect(marks).toEqual([null, 'true']);
    expect((await apply(visitor, '21', {}, 'key')).json.code).toBe('idempotency_key_reused');
    expect((await visitor.get(path)).json.total.count).toBe(1);
  });

  it('never spends money that a concurrent payout has taken', async () => {
    const { merchant, visitor } = await owner();
    const payout = (index: number) =>
      merchant.program.post('/openapi/v1/payouts', {
        out_trade_no: `p-${index}`,
        currency: 'CNY',
        channel: 'CN_BANK',
        amount: '3000.00',
        payee: '王芳',
        payeeAccount: `1234567890${index}`,
        bank: 'ICBC',
        bankName: 'ICBC',
      });
    const answers = await Promise.all([
      ...[1, 2, 3].map(payout),
      ...['400', '410', '420'].map((amount) => apply(visitor, amount)),
    ]);
    const [available] = await figures(visitor);
    expect(Number(available)).toBeGreaterThanOrEqual(0);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(answers.filter(({ json }) => json.code === 'insufficient_funds')).toHaveLength(3);
  });
});
