import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { balances } from '#ledger/ledger.ts';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';

let product: TestProduct;

beforeAll(async () => {
  // No worker, so that a requested refund stays pending.
  product = await TestProduct.start(inject('ownerUrl'));
});
afterAll(async () => {
  expect(await product.violations()).toEqual([]);
  expect(await product.deadlocks()).toBe(0);
  await product.close();
});

let count = 0;
/** Creates a paid order of 100.00, of which 99.40 is unsettled. */
async function pay({ id: merchantId, code }: TestMerchant): Promise<string> {
  const home = { merchantId, code, name: code, currency: 'CNY', zone: 'UTC' } as const;
  const order = {
    out_trade_no: `s-${count++}`,
    amount: '100.00',
    currency: 'CNY',
    channel: 'CN_BANK',
  } as const;
  const { tradeNo: reference, amountMinor } = await product.services.collections.create(home, order);
  const paid = { status: 'paid', bankReference: 'b', reason: null, currency: 'CNY' } as const;
  await product.services.collections.report({ reference, amountMinor, ...paid });
  return reference;
}

const refund = ({ id: merchantId, code }: TestMerchant, tradeNo: string) => {
  const home = { merchantId, code, name: code, currency: 'CNY', zone: 'UTC' } as const;
  const program = { kind: 'program', keyId: 'k', home, callbackUrl: null } as const;
  const request = { id: 'r', address: '127.0.0.1', userAgent: undefined, language: 'en' } as const;
  return product.services.refunds.requestWhole(program, request, { tradeNo });
};
const settle = ({ id }: TestMerchant) => product.services.settlements.runNow(id, new Date(Date.now() + 1000));
const funds = async ({ id }: TestMerchant) => {
  const { available, unsettled } = await product.services.database.asMerchant(id, (tx) =>
    balances(tx, 'CNY'),
  );
  return [available, unsettled];
};

it('defers a payment whose money has gone into the refund of an earlier one', async () => {
  const merchant = await product.merchant('waits');
  const first = await pay(merchant);
  await settle(merchant);
  expect(await funds(merchant)).toEqual([9940n, 0n]);
  await pay(merchant);
  await refund(merchant, first);
  expect(await funds(merchant)).toEqual([9940n, 0n]);
  expect(await settle(merchant)).toBeUndefined();
  await pay(merchant);
  expect(await settle(merchant)).toMatch(/^S/);
  expect(await funds(merchant)).toEqual([19_880n, 0n]);
});

it('never spends the same money on a settlement and a concurrent refund', async () => {
  const merchant = await product.merchant('raced');
  const settled: string[] = [];
  for (let order = 0; order < 10; order++) settled.push(await pay(merchant));
  await settle(merchant);
  for (let order = 0; order < 10; order++) await pay(merchant);
  const refunds = settled.map((tradeNo) => refund(merchant, tradeNo));
  const batches = Array.from({ length: 5 }, () => settle(merchant));
  const answers = await Promise.allSettled([...refunds, ...batches]);
  const faults = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason.code] : []));
  expect(faults.every((code) => code === 'insufficient_funds')).toBe(true);
  expect((await Promise.allSettled(batches)).map(({ status }) => status)).toEqual(Array(5).fill('fulfilled'));
  const [available, unsettled] = await funds(merchant);
  const refunded = BigInt(refunds.length - faults.length) * 9940n;
  expect((available ?? 0n) + (unsettled ?? 0n)).toBe(20n * 9940n - refunded);
});
