import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { balances } from '#ledger/ledger.ts';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';
import { SettlementService } from './settlements.service.ts';

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
/** Creates a paid order; of one of 100.00, 99.40 is unsettled. */
async function pay({ id: merchantId, code }: TestMerchant, amount = '100.00'): Promise<string> {
  const home = { merchantId, code, name: code, currency: 'CNY', zone: 'UTC' } as const;
  const order = {
    out_trade_no: `s-${count++}`,
    amount,
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
  expect(await settle(merchant)).toEqual([]);
  await pay(merchant);
  expect(await settle(merchant)).toEqual([expect.stringMatching(/^S/)]);
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

/** Settlements whose batches have few payments. */
const inSmallBatches = (batchLines: number) =>
  new SettlementService(product.services.database, { batchLines });
/** Lists the batches of a merchant, the oldest first. */
const batchesOf = async ({ id }: TestMerchant) =>
  product.services.database.asMerchant(id, async (tx) => {
    const { rows } = await sql<{
      status: string;
      orders: number;
      refunds: number;
      net: bigint;
      cutOffAt: Date;
    }>`
      select status, order_count as orders, refund_count as refunds, net_minor as net, cut_off_at as "cutOffAt"
      from settlement where merchant_id = ${id} order by id`.execute(tx.query);
    return rows;
  });
/** Makes the next cut-off of a merchant due. */
const makeDue = ({ id }: TestMerchant) =>
  product.services.database.asSystem((tx) =>
    sql`update merchant set next_settlement_at = date_trunc('milliseconds', now()) where id = ${id}`.execute(
      tx.query,
    ),
  );
/** Moves the next cut-off of a merchant and the payment of each order back by days. */
const moveBack = ({ id }: TestMerchant, cutOffDays: number, orderDays: Readonly<Record<string, number>>) =>
  product.services.database.asSystemFor(id, async (tx) => {
    await sql`
      update merchant set next_settlement_at = next_settlement_at - make_interval(days => ${cutOffDays}::integer)
      where id = ${id}`.execute(tx.query);
    for (const [tradeNo, days] of Object.entries(orderDays))
      await sql`
        update collection set paid_at = paid_at - make_interval(days => ${days}::integer)
        where merchant_id = ${id} and trade_no = ${tradeNo}`.execute(tx.query);
  });
const nextCutOff = ({ id }: TestMerchant) =>
  product.services.database.asSystem(async (tx) => {
    const { next_settlement_at: at } = await tx.query
      .selectFrom('merchant')
      .select('next_settlement_at')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return at;
  });

it('settles the payments of one cut-off in as many batches as they need', async () => {
  const merchant = await product.merchant('busy');
  const settled = await pay(merchant);
  await settle(merchant);
  for (let order = 0; order < 7; order++) await pay(merchant);
  const refunded = await pay(merchant);
  await refund(merchant, refunded);
  await refund(merchant, settled);
  await makeDue(merchant);
  const settlements = inSmallBatches(3);
  // Two processes at once make the same batches as one.
  await Promise.all([settlements.runDue(), settlements.runDue()]);
  const [, ...batches] = await batchesOf(merchant);
  expect(batches.map(({ status, orders, net }) => ({ status, orders, net }))).toEqual([
    { status: 'settled', orders: 3, net: 29_820n },
    { status: 'settled', orders: 3, net: 29_820n },
  ]);
  expect(new Set(batches.map(({ cutOffAt }) => cutOffAt.getTime())).size).toBe(1);
  // One payment waits for the refund that has taken its money, as it does without a limit.
  expect(await funds(merchant)).toEqual([9940n + 2n * 29_820n, 0n]);
  expect(await nextCutOff(merchant)).toSatisfy((at: Date) => at > new Date());
  await settlements.runDue();
  expect(await batchesOf(merchant)).toHaveLength(3);
});

it('settles everything at once that an operator asks for, in several batches', async () => {
  const merchant = await product.merchant('asked');
  for (let order = 0; order < 5; order++) await pay(merchant);
  const numbers = await inSmallBatches(2).runNow(merchant.id, new Date(Date.now() + 1000));
  expect(numbers).toHaveLength(3);
  expect((await batchesOf(merchant)).map(({ orders }) => orders)).toEqual([2, 2, 1]);
  expect(await funds(merchant)).toEqual([5n * 9940n, 0n]);
});

it('deducts refunds from whichever batch of a cut-off covers them', async () => {
  const merchant = await product.merchant('deducted');
  const settled = [await pay(merchant), await pay(merchant)];
  await settle(merchant);
  const orders = [];
  for (let order = 0; order < 5; order++) orders.push(await pay(merchant));
  const back = [...settled, ...orders.slice(-1)].map((tradeNo) => ({ tradeNo, at: new Date() }));
  await product.services.refunds.recordPast(merchant.id, back);
  await inSmallBatches(2).runNow(merchant.id, new Date(Date.now() + 1000));
  // The last payment was given back as a whole before its settlement: neither is in a batch.
  const [, ...batches] = await batchesOf(merchant);
  expect(batches.map(({ orders: count, refunds, net }) => ({ count, refunds, net }))).toEqual([
    { count: 2, refunds: 2, net: 0n },
    { count: 2, refunds: 0, net: 19_880n },
  ]);
  expect(await funds(merchant)).toEqual([4n * 9940n, 0n]);
});

it('makes one larger batch if no few payments cover a refund', async () => {
  const merchant = await product.merchant('covered');
  const settled = await pay(merchant);
  await settle(merchant);
  for (let order = 0; order < 3; order++) await pay(merchant, '40.00');
  await product.services.refunds.recordPast(merchant.id, [{ tradeNo: settled, at: new Date() }]);
  await inSmallBatches(1).runNow(merchant.id, new Date(Date.now() + 1000));
  const [, ...batches] = await batchesOf(merchant);
  expect(batches).toMatchObject([{ orders: 3, refunds: 1, net: 1988n }]);
  expect(await funds(merchant)).toEqual([9940n + 1988n, 0n]);
});

it('settles every cut-off that was missed, and what was paid since the last one waits', async () => {
  const merchant = await product.merchant('missed');
  const planned = await nextCutOff(merchant);
  const [first, third] = [await pay(merchant), await pay(merchant)];
  await pay(merchant);
  await moveBack(merchant, 3, { [first]: 3, [third]: 1 });
  await product.services.settlements.runDue();
  const before = (days: number) => new Date(planned.getTime() - days * 86_400_000);
  expect(await batchesOf(merchant)).toMatchObject([
    { status: 'settled', orders: 1, cutOffAt: before(3) },
    { status: 'settled', orders: 1, cutOffAt: before(1) },
  ]);
  expect(await nextCutOff(merchant)).toEqual(planned);
  expect(await funds(merchant)).toEqual([2n * 9940n, 9940n]);
  await settle(merchant);
  expect(await batchesOf(merchant)).toHaveLength(3);
});
