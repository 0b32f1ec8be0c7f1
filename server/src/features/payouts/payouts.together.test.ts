import fc from 'fast-check';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { databaseFault } from '#db/pool.ts';
import { plainApplication } from '../../testing/plain-application.ts';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';
import { type Application, type Decision, takePayouts } from './intake/payout-decisions.sql.ts';

let product: TestProduct;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { hasOnePlacement: true });
});
afterAll(async () => {
  expect(await product.violations()).toEqual([]);
  expect(await product.deadlocks()).toBe(0);
  await product.close();
});

const job = { task: 'payouts.send', maxAttempts: 5 };

/** The fields in which a test's applications differ; all others are the same. */
interface TestOrder {
  /** Index of the merchant within the test. */
  of: number;
  number: number;
  account: number;
  amountMinor: bigint;
  hash: number;
  isMeant: boolean;
  channel: 'CN_BANK' | 'IN_IMPS';
}

const applicationOf = (order: TestOrder, merchants: readonly TestMerchant[]): Application => ({
  merchantId: merchants[order.of]?.id ?? 0n,
  outTradeNo: `n-${order.number}`,
  requestHash: Buffer.from([order.hash]),
  amountMinor: order.amountMinor,
  currency: 'CNY',
  channel: order.channel,
  payee: `P${order.account}`,
  payeeAccount: `${order.account}`,
  accountKey: `CN_BANK ICBC ${order.account}`,
  confirmSimilar: order.isMeant,
  ...plainApplication,
});

const plain = (of: number, number: number): TestOrder => ({
  of,
  number,
  account: number,
  amountMinor: 100n,
  hash: 0,
  isMeant: false,
  channel: 'CN_BANK',
});

const takeBatch = (merchants: readonly TestMerchant[], orders: readonly TestOrder[]): Promise<Decision[]> =>
  product.services.database.asMerchants(
    merchants.map(({ id }) => id),
    (tx) =>
      takePayouts(
        tx,
        orders.map((order) => applicationOf(order, merchants)),
        job,
      ),
  );

async function takeSingle(
  merchants: readonly TestMerchant[],
  order: TestOrder,
): Promise<Decision | undefined> {
  const application = applicationOf(order, merchants);
  const decisions = await product.services.database.asMerchant(application.merchantId, (tx) =>
    takePayouts(tx, [application], job),
  );
  return decisions[0];
}

async function makeFunded(name: string, amounts: readonly string[]): Promise<TestMerchant[]> {
  const merchants: TestMerchant[] = [];
  for (const [index, amount] of amounts.entries()) {
    const merchant = await product.merchant(`${name}-${index}`);
    await product.fund(merchant, amount);
    merchants.push(merchant);
  }
  return merchants;
}

/** Reads a merchant's ledger entries with their payouts, without generated numbers and times. */
async function entriesOf(merchant: TestMerchant) {
  const { rows } = await product.services.database.asMerchant(merchant.id, (tx) =>
    sql`select a.kind, e.version, e.amount_minor, e.balance_after_minor, e.inflow_after_minor, t.type, p.out_trade_no,
        p.amount_minor as wished, p.fee_minor
      from ledger_entry e join ledger_account a on a.id = e.account_id join ledger_transfer t on t.id = e.transfer_id
      left join payout p on p.trade_no = t.subject_no
      order by a.kind, e.version`.execute(tx.query),
  );
  return rows;
}

it('decides each application of a batch as it would be decided alone', async () => {
  const funds = ['100000.00', '40.00', '8.00'];
  const [batched, single] = [await makeFunded('batched', funds), await makeFunded('single', funds)];
  const anyOrder: fc.Arbitrary<TestOrder> = fc.record({
    of: fc.integer({ min: 0, max: 2 }),
    number: fc.integer({ min: 0, max: 60 }),
    account: fc.integer({ min: 0, max: 12 }),
    amountMinor: fc.constantFrom(100n, 150n, 400n),
    hash: fc.integer({ min: 0, max: 1 }),
    isMeant: fc.boolean(),
    channel: fc.constantFrom('CN_BANK', 'CN_BANK', 'CN_BANK', 'IN_IMPS'),
  });
  const seen = new Set<string>();
  for (const drawn of fc.sample(fc.array(anyOrder, { minLength: 1, maxLength: 24 }), {
    numRuns: 40,
    seed: 37,
  })) {
    const names = new Set<string>();
    const orders = drawn.filter(({ of, number, account, amountMinor }) => {
      const own = [`${of} number ${number}`, `${of} twin ${account} ${amountMinor}`];
      const isNew = own.every((name) => !names.has(name));
      for (const name of own) if (isNew) names.add(name);
      return isNew;
    });
    const first = await takeBatch(batched, orders);
    expect(first).toHaveLength(orders.length);
    const sequence = [...orders.keys()].toSorted((a, b) => rank(first[a]) - rank(first[b]) || a - b);
    for (const index of sequence) {
      const decision = first[index];
      const order = orders[index] as TestOrder;
      const isAgain = decision?.outcome === 'not_covered_together';
      const [own, other] = [
        isAgain ? await takeSingle(batched, order) : decision,
        await takeSingle(single, order),
      ];
      expect([order, own?.outcome]).toEqual([order, other?.outcome]);
      if (decision) seen.add(decision.outcome);
    }
  }
  for (const [index, merchant] of batched.entries())
    expect(await entriesOf(merchant)).toEqual(await entriesOf(single[index] as TestMerchant));
  expect([...seen].toSorted()).toEqual([
    'channel_closed',
    'earlier',
    'insufficient_funds',
    'not_covered_together',
    'out_trade_no_used',
    'similar_payout',
    'taken',
  ]);
});

/** Sorts applications that must be tried again behind those that are decided. */
const rank = (decision: Decision | undefined) => (decision?.outcome === 'not_covered_together' ? 1 : 0);

it('neither takes nor reveals payouts of a merchant outside the transaction', async () => {
  const [inside, outside] = (await makeFunded('named', ['10.00', '10.00'])) as [TestMerchant, TestMerchant];
  await takeSingle([outside], plain(0, 1));
  const books = await entriesOf(outside);
  for (const number of [1, 2]) {
    const decisions = await product.services.database.asMerchants([inside.id], (tx) =>
      takePayouts(tx, [applicationOf(plain(0, number), [outside])], job),
    );
    expect(decisions.map(({ outcome }) => outcome)).toEqual(['channel_closed']);
  }
  expect(await entriesOf(outside)).toEqual(books);
});

it('does not wait for a merchant whose accounts are locked', async () => {
  const merchants = (await makeFunded('held', ['100.00', '100.00', '100.00'])) as [
    TestMerchant,
    ...TestMerchant[],
  ];
  const [held, ...others] = merchants;
  const create = (merchant: TestMerchant, number: number) =>
    merchant.program.post('/openapi/v1/payouts', {
      channel: 'CN_BANK',
      amount: '1.00',
      payee: '王芳',
      payeeAccount: `95588012${String(number).padStart(6, '0')}`,
      bank: 'ICBC',
      bankName: '中国工商银行',
      currency: 'CNY',
      out_trade_no: `h-${number}`,
    });
  const holder = new pg.Client({ connectionString: product.ownerUrl });
  await holder.connect();
  await holder.query(`begin; set local role hengfu_ledger; set local app.merchant_id = '${held.id}'`);
  await holder.query('select from ledger_account where merchant_id = $1 for update', [held.id]);
  let isFree = false;
  const waiting = Promise.all([1, 2, 3].map((number) => create(held, number))).then((answers) => {
    expect(isFree).toBe(true);
    return answers;
  });
  const numbers = Array.from({ length: 20 }, (_, index) => index);
  const free = await Promise.all(
    others.flatMap((merchant) => numbers.map((number) => create(merchant, number))),
  );
  expect(new Set(free.map(({ status }) => status))).toEqual(new Set([201]));
  isFree = true;
  await holder.query('rollback');
  await holder.end();
  expect((await waiting).map(({ status }) => status)).toEqual([201, 201, 201]);
});

it('does not deadlock when transactions name merchants and payees in opposite orders', async () => {
  const merchants = await makeFunded('crossed', ['100.00', '100.00', '100.00']);
  const orders = Array.from({ length: 18 }, (_, number) => plain(number % 3, number));
  // Retries a transaction that ran into the lock timeout.
  const takeWithRetry = async (orders: readonly TestOrder[]): Promise<Decision[]> => {
    for (;;) {
      try {
        return await takeBatch(merchants, orders);
      } catch (error) {
        if (databaseFault(error)?.state !== '55P03') throw error;
      }
    }
  };
  const runs = await Promise.all(
    Array.from({ length: 12 }, (_, run) => takeWithRetry(run % 2 === 0 ? orders : orders.toReversed())),
  );
  const outcomes = Map.groupBy(runs.flat(), ({ outcome }) => outcome);
  expect(outcomes.get('taken')).toHaveLength(18);
  expect(outcomes.get('earlier')).toHaveLength(198);
});
