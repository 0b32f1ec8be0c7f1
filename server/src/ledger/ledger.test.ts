import fc from 'fast-check';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type TestMerchant, TestProduct } from '../testing/test-product.ts';
import { balances, type LedgerEntry, type MerchantAccount, post, violations } from './ledger.ts';

let product: TestProduct;
let merchant: TestMerchant;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { hasOnePlacement: true });
  merchant = await product.merchant('ledger');
});
afterAll(() => product.close());

/** Posts a transfer. Resolves with `posted`, or with the code of a refusal. */
async function postMove(of: TestMerchant, key: string, entries: readonly LedgerEntry[]): Promise<string> {
  try {
    await product.services.database.asMerchant(of.id, (tx) =>
      post(tx, { type: 'collection_payment', key, subjectNo: key, currency: 'CNY', entries }),
    );
    return 'posted';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const readBalances = (of: TestMerchant) =>
  product.services.database.asMerchant(of.id, (tx) => balances(tx, 'CNY'));

describe('the ledger', () => {
  it('posts many transfers of several merchants at once exactly as one by one', async () => {
    const [each, other, alone] = [
      await product.merchant('each'),
      await product.merchant('other'),
      await product.merchant('alone'),
    ];
    const amounts = [300n, 50n, 7n];
    for (const of of [each, other, alone]) {
      await postMove(of, 'funds', [
        { account: 'clearing', amountMinor: -1000n },
        { account: 'available', amountMinor: 1000n },
      ]);
    }
    const both = [each.id, other.id];
    const postMany = (subjects: string[], minor: bigint[], of = subjects.map(() => each.id)) =>
      product.services.database.asMerchants(both, (tx) =>
        sql`select ledger_post_many('collection_payment', 'available', 'locked', ${of.map(String)}::bigint[],
          ${subjects.map(() => 'CNY')}::text[], ${subjects}::text[], ${minor.map(String)}::bigint[], now())`.execute(
          tx.query,
        ),
      );
    await postMany(
      ['s0', 's0', 's1', 's2', 's1', 's2'],
      [amounts[0], amounts[0], amounts[1], amounts[2], amounts[1], amounts[2]] as bigint[],
      [each.id, other.id, each.id, each.id, other.id, other.id],
    );
    for (const [index, amountMinor] of amounts.entries()) {
      await product.services.database.asMerchant(alone.id, (tx) =>
        post(tx, {
          type: 'collection_payment',
          key: `collection_payment:s${index}`,
          subjectNo: `s${index}`,
          currency: 'CNY',
          entries: [
            { account: 'available', amountMinor: -amountMinor },
            { account: 'locked', amountMinor },
          ],
        }),
      );
    }
    const entriesOf = async (of: TestMerchant) => {
      const { rows } = await product.services.database.asMerchant(of.id, (tx) =>
        sql`select a.kind, e.version, t.type, t.idempotency_key, t.subject_no, e.amount_minor, e.balance_after_minor,
            e.inflow_after_minor, e.statement_type, a.balance_minor, a.inflow_minor, a.version as last
          from ledger_entry e join ledger_account a on a.id = e.account_id join ledger_transfer t on t.id = e.transfer_id
          order by 1, 2`.execute(tx.query),
      );
      return rows;
    };
    expect(await entriesOf(each)).toEqual(await entriesOf(alone));
    expect(await entriesOf(other)).toEqual(await entriesOf(alone));
    // Overdrawn, unbalanced, duplicate, of a merchant that the transaction does not name: nothing is posted.
    const before = [await entriesOf(each), await entriesOf(other), await entriesOf(alone)];
    for (const [subjects, minor, of] of [
      [
        ['s3', 's4'],
        [600n, 44n],
      ],
      [['s3'], [-1n]],
      [['s3'], [0n]],
      [['s3'], []],
      [[], []],
      [['s0'], [1n]],
      [
        ['s3', 's3'],
        [1n, 644n],
        [each.id, other.id],
      ],
      [
        ['s3', 's4'],
        [1n, 1n],
        [each.id, alone.id],
      ],
    ] as [string[], bigint[], bigint[]?][]) {
      await expect(postMany(subjects, minor, of)).rejects.toThrow();
    }
    expect([await entriesOf(each), await entriesOf(other), await entriesOf(alone)]).toEqual(before);
  });

  it('agrees with a pure model for random transfers', async () => {
    const accounts: MerchantAccount[] = ['available', 'locked', 'unsettled'];
    const move = fc.record({
      from: fc.constantFrom<LedgerEntry['account']>(...accounts, 'clearing', 'fees'),
      to: fc.constantFrom<LedgerEntry['account']>(...accounts, 'clearing', 'fees'),
      amountMinor: fc.bigInt(1n, 1000n),
    });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(move, { minLength: 1, maxLength: 25 }), async (moves) => {
        run++;
        const own = await product.merchant(`model-${run}`);
        const model = new Map<string, bigint>();
        for (const [index, { from, to, amountMinor }] of moves.entries()) {
          const after = (model.get(from) ?? 0n) - (from === to ? 0n : amountMinor);
          const isCovered = from === to || !accounts.some((account) => account === from) || after >= 0n;
          const answer = await postMove(own, `m${index}`, [
            { account: from, amountMinor: -amountMinor },
            { account: to, amountMinor },
          ]);
          expect(answer).toBe(isCovered ? 'posted' : 'insufficient_funds');
          if (!isCovered || from === to) continue;
          model.set(from, after);
          model.set(to, (model.get(to) ?? 0n) + amountMinor);
        }
        const found = await readBalances(own);
        for (const account of accounts) expect(found[account]).toBe(model.get(account) ?? 0n);
      }),
      { numRuns: 25 },
    );
    // The model's payments have no orders, whose rules the orders' own tests cover.
    expect((await product.violations()).filter(({ rule }) => !rule.includes('_order'))).toEqual([]);
  }, 60_000);

  it('refuses entries that do not sum to zero', async () => {
    expect(await postMove(merchant, 'lopsided', [{ account: 'unsettled', amountMinor: 5n }])).toMatch(
      /ledger_unbalanced/,
    );
  });

  it('posts once per idempotency key', async () => {
    const entries: LedgerEntry[] = [
      { account: 'clearing', reference: 'CN_BANK', amountMinor: -100n },
      { account: 'unsettled', amountMinor: 100n },
    ];
    const before = await readBalances(merchant);
    const answers = await Promise.all(Array.from({ length: 20 }, () => postMove(merchant, 'once', entries)));
    expect(answers.filter((answer) => answer === 'posted')).toHaveLength(1);
    expect((await readBalances(merchant)).unsettled).toBe(before.unsettled + 100n);
  });

  it('posts exactly as many transfers as the funds cover, and never shows a negative balance', async () => {
    const own = await product.merchant('bank-test');
    await postMove(own, 'fund', [
      { account: 'clearing', amountMinor: -1000n },
      { account: 'available', amountMinor: 1000n },
    ]);
    let isRunning = true;
    const totals: bigint[] = [];
    const watcher = (async () => {
      while (isRunning) {
        const { available, locked } = await readBalances(own);
        expect(available >= 0n && locked >= 0n).toBe(true);
        totals.push(available + locked);
      }
    })();
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, index) =>
        postMove(own, `spend-${index}`, [
          { account: 'available', amountMinor: -10n },
          { account: 'locked', amountMinor: 10n },
        ]),
      ),
    );
    isRunning = false;
    await watcher;
    expect(answers.filter((answer) => answer === 'posted')).toHaveLength(100);
    expect(new Set(answers)).toEqual(new Set(['posted', 'insufficient_funds']));
    expect(new Set(totals)).toEqual(new Set([1000n]));
  });

  it('cannot be changed by the application, whatever its code does', async () => {
    const { database } = product.services;
    const attempts = [
      sql`update ledger_entry set amount_minor = 1`,
      sql`delete from ledger_entry`,
      sql`update ledger_account set balance_minor = 1000000`,
      sql`insert into ledger_account (merchant_id, kind, currency) values (${merchant.id}, 'available', 'USD')`,
      sql`truncate ledger_entry`,
      sql`delete from audit`,
    ];
    for (const attempt of attempts) {
      await expect(database.asMerchant(merchant.id, (tx) => attempt.execute(tx.query))).rejects.toThrow(
        /permission denied/,
      );
      await expect(database.asSystem((tx) => attempt.execute(tx.query))).rejects.toThrow(/permission denied/);
    }
  });

  it('is append-only even for its owner', async () => {
    const client = new pg.Client({ connectionString: product.ownerUrl });
    await client.connect();
    await expect(client.query('update ledger_entry set amount_minor = 1')).rejects.toThrow(/append-only/);
    await expect(client.query('truncate ledger_entry')).rejects.toThrow(/append-only/);
    await client.end();
  });

  it('detects tampering', async () => {
    const own = await product.merchant('tampered');
    await postMove(own, 'fund', [
      { account: 'clearing', amountMinor: -50n },
      { account: 'unsettled', amountMinor: 50n },
    ]);
    const client = new pg.Client({ connectionString: product.ownerUrl });
    await client.connect();
    await client.query('alter table ledger_account no force row level security');
    await client.query(
      "update ledger_account set balance_minor = 51 where merchant_id = $1 and kind = 'unsettled'",
      [String(own.id)],
    );
    const found = await product.services.database.asSystem((tx) => violations(tx));
    expect(found.map(({ rule }) => rule)).toContain('balance_is_sum_of_entries');
    await client.query(
      "update ledger_account set balance_minor = 50 where merchant_id = $1 and kind = 'unsettled'",
      [String(own.id)],
    );
    await client.query('alter table ledger_account force row level security');
    await client.end();
  });
});
