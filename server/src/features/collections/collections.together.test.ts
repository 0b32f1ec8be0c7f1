import fc from 'fast-check';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';
import { insertCollections, type NewCollection } from './collections.sql.ts';

let product: TestProduct;
let merchants: TestMerchant[];
/** Merchants that may create orders come first. */
const active = 3;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { hasOnePlacement: true });
  merchants = [];
  for (const code of ['one', 'two', 'three', 'suspended']) merchants.push(await product.merchant(code));
  await asSystem(sql`update merchant set suspended_at = now() where code = 'suspended'`);
});
afterAll(async () => {
  expect(await product.violations()).toEqual([]);
  expect(await product.deadlocks()).toBe(0);
  await product.close();
});

const asSystem = async (statement: RawBuilder<unknown>) =>
  (await product.services.database.asSystem((tx) => statement.execute(tx.query))).rows;

let orders = 0;

const orderOf = (merchantId: bigint, fields: Partial<NewCollection> = {}): NewCollection => ({
  merchantId,
  outTradeNo: `together-${orders}`,
  requestHash: Buffer.from([1]),
  currency: 'CNY',
  amountMinor: 100n,
  channel: null,
  subject: null,
  notifyUrl: null,
  returnUrl: null,
  cashierToken: `token-${orders++}`,
  expirySeconds: 1800,
  ...fields,
});

const insertTogether = (allowed: readonly TestMerchant[], wanted: readonly NewCollection[]) =>
  product.services.database.asMerchants(
    allowed.map(({ id }) => id),
    (tx) => insertCollections(tx, wanted),
  );

it('decides each order of several merchants as if it were alone', async () => {
  const order = fc.record({
    of: fc.nat({ max: active }),
    number: fc.nat({ max: 6 }),
    channel: fc.constantFrom(null, 'CN_BANK', 'IN_IMPS', 'NONE'),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(order, { selector: ({ of, number }) => `${of} ${number}` }),
      async (batch) => {
        const run = `run-${orders++}`;
        const wanted = batch.map(({ of, number, channel }) =>
          orderOf(merchants[of]?.id ?? 0n, {
            outTradeNo: `${run}-${number}`,
            channel,
            amountMinor: BigInt(number + 1),
          }),
        );
        const created = await insertTogether(merchants, wanted);
        const expected = batch.map(
          ({ of, channel }) => of < active && (channel === null || channel === 'CN_BANK'),
        );
        expect(created.map((made) => made !== undefined)).toEqual(expected);
        for (const [index, made] of created.entries())
          expect(made?.amountMinor).toBe(made && wanted[index]?.amountMinor);
        // Repetitions of orders create nothing, and those that were declined are declined again.
        const again = await insertTogether(merchants, wanted);
        expect(again.every((made) => made === undefined)).toBe(true);
      },
    ),
    { numRuns: 40 },
  );
});

it('gives each order one event', async () => {
  const [one, two] = merchants as [TestMerchant, TestMerchant];
  const [first, second] = await insertTogether([one, two], [orderOf(one.id), orderOf(two.id)]);
  for (const made of [first, second]) {
    const events = await asSystem(sql`
      select status, reason from collection_event where merchant_id = ${made?.merchantId} and collection_id = ${made?.id}`);
    expect(events).toEqual([{ status: 'toBePaid', reason: 'created' }]);
  }
});

it('creates nothing for a merchant that is not one of the transaction', async () => {
  const [one, two] = merchants as [TestMerchant, TestMerchant];
  const foreign = orderOf(two.id);
  const created = await insertTogether([one], [orderOf(one.id), foreign]);
  expect(created.map((made) => made !== undefined)).toEqual([true, false]);
  expect(await asSystem(sql`select from collection where out_trade_no = ${foreign.outTradeNo}`)).toEqual([]);
});

it('shows no merchant’s orders to the rest of the transaction', async () => {
  const [one] = merchants as [TestMerchant];
  const seen = await product.services.database.asMerchants([one.id], async (tx) => {
    const { rows } = await sql<{ count: number }>`select count(*)::integer as count from collection`.execute(
      tx.prepared,
    );
    return rows[0]?.count;
  });
  expect(seen).toBe(0);
});

it('creates 300 orders of three merchants that are sent at once, each once', async () => {
  const answers = await Promise.all(
    Array.from({ length: 300 }, (_, number) =>
      merchants[number % active]?.program.create(`once-${number % 150}`),
    ),
  );
  expect(answers.map((answer) => answer?.status).filter((status) => status !== 201)).toEqual([]);
  // Numbers repeat within a merchant: 150 of three merchants are 150 orders.
  expect(new Set(answers.map((answer) => answer?.json.trade_no)).size).toBe(150);
});
