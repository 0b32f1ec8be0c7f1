import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import type { MerchantTx } from '#db/database.ts';
import { freeUnsettled } from '#domain/settling.sql.ts';
import { type TestMerchant, TestProduct } from '../testing/test-product.ts';
import { postDay, postRefunds } from './postings.ts';
import { insertRefunds } from './refunds.sql.ts';
import { type DemoOrder, idsOf, insertOrders } from './seed.sql.ts';

const hourMs = 3_600_000;
let product: TestProduct;
let merchant: TestMerchant;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  merchant = await product.merchant('demo');
});
afterAll(() => product.close());

it('payments are given back in time order, as far as the unsettled funds cover them', async () => {
  const now = Date.now();
  const orders = ['early', 'late'].map(
    (outTradeNo): DemoOrder => ({
      outTradeNo,
      amountMinor: 10_000n,
      subject: 'x',
      status: 'success',
      createdAt: now - hourMs,
      paidAt: now - hourMs / 2,
      refundedAt: null,
      refused: null,
    }),
  );
  const work = async (tx: MerchantTx) => {
    await insertOrders(tx, orders, { currency: 'CNY', channel: 'CN_BANK' });
    await postDay(tx, 'CNY', { from: new Date(now - hourMs), until: new Date(now) });
    const ids = await idsOf(tx, ['early', 'late']);
    const due = ['late', 'early'].map((outTradeNo) => ({
      collectionId: ids.get(outTradeNo) ?? 0n,
      at: now - (outTradeNo === 'early' ? 2000 : 1000),
    }));
    const refundIds = await insertRefunds(tx, due, (await freeUnsettled(tx)) - 1n);
    await postRefunds(tx, 'CNY', refundIds);
    return refundIds;
  };
  expect(await product.services.database.asMerchant(merchant.id, work)).toHaveLength(1);
  const statusOf = async (outTradeNo: string) =>
    (await product.services.collections.find(merchant.id, { outTradeNo })).status;
  expect([await statusOf('early'), await statusOf('late')]).toEqual(['refunded', 'success']);
  expect(await product.violations()).toEqual([]);
});
