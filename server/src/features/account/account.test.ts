import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';
import type { Visitor } from '../../testing/visitor.ts';

let product: TestProduct;
let merchants = 0;

beforeAll(async () => {
  // Without a worker and a bank, orders in progress stay in progress.
  product = await TestProduct.start(inject('ownerUrl'));
});
afterAll(async () => {
  expect(await product.violations()).toEqual([]);
  await product.close();
});

const account = '/api/merchant/account';
const read = async (visitor: Visitor, path: string) => (await visitor.get(`${account}${path}`)).json.data;

async function owner(funds: string): Promise<{ merchant: TestMerchant; visitor: Visitor }> {
  const merchant = await product.merchant(`account${++merchants}`);
  await product.fund(merchant, funds);
  return { merchant, visitor: await product.person(merchant) };
}
const payOut = (merchant: TestMerchant, amount: string, number: string) =>
  merchant.program.post('/openapi/v1/payouts', {
    out_trade_no: number,
    currency: 'CNY',
    channel: 'CN_BANK',
    amount,
    payee: '王芳',
    payeeAccount: '6222021234567890128',
    bank: 'ICBC',
    bankName: '中国工商银行',
  });

/** Creates a paid collection that is in no settlement batch yet. Returns its order number. */
async function collect(merchant: TestMerchant, amount: string): Promise<string> {
  const { collections } = product.services;
  const home = {
    merchantId: merchant.id,
    code: merchant.code,
    name: '',
    currency: 'CNY' as const,
    zone: 'UTC',
  };
  const order = await collections.create(home, {
    out_trade_no: `o-${Math.random()}`,
    amount,
    currency: 'CNY',
    channel: 'CN_BANK',
  });
  await collections.report({
    reference: order.tradeNo,
    status: 'paid',
    bankReference: 'b',
    reason: null,
    currency: 'CNY',
    amountMinor: order.amountMinor,
  });
  return order.tradeNo;
}

describe('the balance breakdown', () => {
  it('adds up to the balances of the ledger', async () => {
    const { merchant, visitor } = await owner('1000.00');
    await payOut(merchant, '100.00', 'p1');
    await payOut(merchant, '50.00', 'p2');
    await collect(merchant, '200.00');
    await collect(merchant, '300.00');
    expect(await read(visitor, '/breakdown')).toMatchObject({
      locked: {
        total: '150.30',
        payouts: { count: 2, exact: true, amount: '150.30' },
        withdrawals: { count: 0, exact: true, amount: '0.00' },
        agrees: true,
      },
      unsettled: {
        total: '497.00',
        payments: { count: 2, exact: true, amount: '497.00' },
        refunds: { count: 0, amount: '0.00' },
        batches: { count: 0, amount: '0.00' },
        agrees: true,
      },
      nextSettlement: { at: expect.stringMatching(/T16:00:00.000Z$/), amount: '497.00' },
    });
  });

  it('predicts the amount of the next settlement', async () => {
    const { merchant, visitor } = await owner('10.00');
    const refunded = await collect(merchant, '100.00');
    await product.services.settlements.runNow(merchant.id, new Date(Date.now() + 1000));
    await collect(merchant, '700.00');
    await product.services.refunds.recordPast(merchant.id, [{ tradeNo: refunded, at: new Date() }]);
    const before = await read(visitor, '/breakdown');
    expect(before.unsettled).toMatchObject({
      total: '596.40',
      agrees: true,
      payments: { count: 1, amount: '695.80' },
      refunds: { count: 1, amount: '99.40' },
    });
    const available = (await read(visitor, '')).available;
    await product.services.settlements.runNow(merchant.id, new Date(Date.now() + 1000));
    const after = await read(visitor, '');
    expect([available, before.nextSettlement.amount, after.available]).toEqual([
      '109.34',
      '596.40',
      '705.74',
    ]);
  });
});

describe('the account at a past instant', () => {
  it('has the balances of that instant', async () => {
    const { merchant, visitor } = await owner('1000.00');
    const history: [string, string][] = [];
    for (const amount of ['10.00', '20.00', '30.00']) {
      history.push([new Date(Date.now() + 1).toISOString(), JSON.stringify(await read(visitor, ''))]);
      await new Promise((resolve) => setTimeout(resolve, 5));
      await payOut(merchant, amount, `p-${amount}`);
    }
    for (const [at, figures] of history)
      expect(JSON.stringify(await read(visitor, `/at?at=${at}`))).toBe(figures);
    expect((await read(visitor, '/at?at=2020-01-01T00:00:00Z')).total).toBe('0.00');
    expect((await visitor.get(`${account}/at?at=now`)).status).toBe(422);
  });
});
