import fc from 'fast-check';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { databaseFault } from '#db/pool.ts';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';
import { type Application, type Decision, takePayouts } from './payouts.sql.ts';

let product: TestProduct;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
});
afterAll(async () => {
  expect(await product.violations()).toEqual([]);
  expect(await product.deadlocks()).toBe(0);
  await product.close();
});

const job = { task: 'payouts.send', maxAttempts: 5 };

/** What tells applications apart; the rest of them is the same. */
interface Wish {
  /** Place of the merchant among those of a test. */
  of: number;
  number: number;
  account: number;
  amountMinor: bigint;
  hash: number;
  isMeant: boolean;
  channel: 'CN_BANK' | 'IN_IMPS';
}

const applicationOf = (wish: Wish, merchants: readonly TestMerchant[]): Application => ({
  merchantId: merchants[wish.of]?.id ?? 0n,
  outTradeNo: `n-${wish.number}`,
  requestHash: Buffer.from([wish.hash]),
  amountMinor: wish.amountMinor,
  currency: 'CNY',
  channel: wish.channel,
  payee: `P${wish.account}`,
  payeeAccount: `${wish.account}`,
  accountKey: `CN_BANK ICBC ${wish.account}`,
  confirmSimilar: wish.isMeant,
  bank: null,
  bankName: null,
  branchName: null,
  ifsc: null,
  accountType: null,
  taxId: null,
  remark: null,
  notifyUrl: null,
  source: 'openApi',
  createdBy: 'key:x',
  batchNo: null,
  batchLine: null,
});

const plain = (of: number, number: number): Wish => ({
  of,
  number,
  account: number,
  amountMinor: 100n,
  hash: 0,
  isMeant: false,
  channel: 'CN_BANK',
});

const takeTogether = (merchants: readonly TestMerchant[], wishes: readonly Wish[]): Promise<Decision[]> =>
  product.services.database.asMerchants(
    merchants.map(({ id }) => id),
    (tx) =>
      takePayouts(
        tx,
        wishes.map((wish) => applicationOf(wish, merchants)),
        job,
      ),
  );

async function takeAlone(merchants: readonly TestMerchant[], wish: Wish): Promise<Decision | undefined> {
  const application = applicationOf(wish, merchants);
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

/** What a merchant's books and payouts come to, but for numbers and times that are drawn anew each time. */
async function booksOf(merchant: TestMerchant) {
  const { rows } = await product.services.database.asMerchant(merchant.id, (tx) =>
    sql`select a.kind, e.version, e.amount_minor, e.balance_after_minor, e.inflow_after_minor, t.type, p.out_trade_no,
        p.amount_minor as wished, p.fee_minor
      from ledger_entry e join ledger_account a on a.id = e.account_id join ledger_transfer t on t.id = e.transfer_id
      left join payout p on p.trade_no = t.subject_no
      order by a.kind, e.version`.execute(tx.query),
  );
  return rows;
}

it('decides each as it would have been decided alone', async () => {
  const funds = ['100000.00', '40.00', '8.00'];
  const [together, apart] = [await makeFunded('together', funds), await makeFunded('apart', funds)];
  const wish: fc.Arbitrary<Wish> = fc.record({
    of: fc.integer({ min: 0, max: 2 }),
    number: fc.integer({ min: 0, max: 60 }),
    account: fc.integer({ min: 0, max: 12 }),
    amountMinor: fc.constantFrom(100n, 150n, 400n),
    hash: fc.integer({ min: 0, max: 1 }),
    isMeant: fc.boolean(),
    channel: fc.constantFrom('CN_BANK', 'CN_BANK', 'CN_BANK', 'IN_IMPS'),
  });
  const seen = new Set<string>();
  for (const drawn of fc.sample(fc.array(wish, { minLength: 1, maxLength: 24 }), { numRuns: 40, seed: 37 })) {
    const names = new Set<string>();
    const wishes = drawn.filter(({ of, number, account, amountMinor }) => {
      const own = [`${of} number ${number}`, `${of} twin ${account} ${amountMinor}`];
      const isNew = own.every((name) => !names.has(name));
      for (const name of own) if (isNew) names.add(name);
      return isNew;
    });
    const first = await takeTogether(together, wishes);
    expect(first).toHaveLength(wishes.length);
    const order = [...wishes.keys()].toSorted((a, b) => rank(first[a]) - rank(first[b]) || a - b);
    for (const place of order) {
      const decision = first[place];
      const asked = wishes[place] as Wish;
      const isAgain = decision?.outcome === 'not_covered_together';
      const [own, other] = [
        isAgain ? await takeAlone(together, asked) : decision,
        await takeAlone(apart, asked),
      ];
      expect([asked, own?.outcome]).toEqual([asked, other?.outcome]);
      if (decision) seen.add(decision.outcome);
    }
  }
  for (const [index, merchant] of together.entries())
    expect(await booksOf(merchant)).toEqual(await booksOf(apart[index] as TestMerchant));
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

/** Those that are to be asked for again come after those that are decided. */
const rank = (decision: Decision | undefined) => (decision?.outcome === 'not_covered_together' ? 1 : 0);

it('takes nothing of a merchant that the transaction does not name, and tells nothing of it', async () => {
  const [inside, outside] = (await makeFunded('named', ['10.00', '10.00'])) as [TestMerchant, TestMerchant];
  await takeAlone([outside], plain(0, 1));
  const books = await booksOf(outside);
  for (const number of [1, 2]) {
    const decisions = await product.services.database.asMerchants([inside.id], (tx) =>
      takePayouts(tx, [applicationOf(plain(0, number), [outside])], job),
    );
    expect(decisions.map(({ outcome }) => outcome)).toEqual(['channel_closed']);
  }
  expect(await booksOf(outside)).toEqual(books);
});

it('waits for no merchant whose accounts somebody holds', async () => {
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

it('at two processes, merchants and payees in any order, waits without a deadlock', async () => {
  const merchants = await makeFunded('crossed', ['100.00', '100.00', '100.00']);
  const wishes = Array.from({ length: 18 }, (_, number) => plain(number % 3, number));
  // One that waits for too long is to be asked for again.
  const insist = async (order: readonly Wish[]): Promise<Decision[]> => {
    for (;;) {
      try {
        return await takeTogether(merchants, order);
      } catch (error) {
        if (databaseFault(error)?.state !== '55P03') throw error;
      }
    }
  };
  const runs = await Promise.all(
    Array.from({ length: 12 }, (_, run) => insist(run % 2 === 0 ? wishes : wishes.toReversed())),
  );
  const outcomes = Map.groupBy(runs.flat(), ({ outcome }) => outcome);
  expect(outcomes.get('taken')).toHaveLength(18);
  expect(outcomes.get('earlier')).toHaveLength(198);
});
