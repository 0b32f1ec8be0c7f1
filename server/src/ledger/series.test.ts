import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type TestMerchant, TestProduct } from '../testing/test-product.ts';
import { type LedgerEntry, post } from './ledger.ts';
import { postSeries } from './series.ts';

let product: TestProduct;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  await product.monthsSince(start);
});
afterAll(async () => {
  // The payments here have no orders, whose rules the orders' own tests cover.
  expect((await product.violations()).filter(({ rule }) => !rule.includes('_order'))).toEqual([]);
  await product.close();
});

interface Move {
  key: string;
  at: Date;
  entries: readonly LedgerEntry[];
}

const start = Date.UTC(2026, 0, 1);
const type = 'collection_payment';

async function postEach(of: TestMerchant, moves: readonly Move[]): Promise<void> {
  await product.services.database.asMerchant(of.id, async (tx) => {
    for (const { key, at, entries } of moves)
      await post(tx, { type, key, subjectNo: `of ${key}`, currency: 'CNY', entries, at });
  });
}

async function postTogether(of: TestMerchant, moves: readonly Move[], over: object = {}): Promise<void> {
  const legs = moves.flatMap(({ key, at, entries }) =>
    entries.map(({ account, reference = '', amountMinor }) => ({
      key,
      type,
      subject: `of ${key}`,
      at,
      kind: account,
      reference,
      amount: String(amountMinor),
      ...over,
    })),
  );
  await product.services.database.asMerchant(of.id, (tx) =>
    postSeries(
      tx,
      'CNY',
      sql`select * from jsonb_to_recordset(${JSON.stringify(legs)}::jsonb)
        as leg (key text, type text, subject text, at timestamptz, kind text, reference text, amount bigint)`,
    ),
  );
}

/** Everything in the ledger about a merchant, except row IDs. */
async function bookOf(of: TestMerchant): Promise<unknown[]> {
  return product.services.database.asMerchant(of.id, async (tx) => {
    const entries = await sql`
      select a.kind, a.reference, e.version, t.type, t.idempotency_key, t.subject_no, t.created_at as transferred_at,
        e.amount_minor, e.balance_after_minor, e.inflow_after_minor, e.statement_type, e.created_at
      from ledger_entry e join ledger_account a on a.id = e.account_id join ledger_transfer t on t.id = e.transfer_id
      order by 1, 2, 3`.execute(tx.query);
    const accounts = await sql`
      select kind, reference, currency, balance_minor, inflow_minor, version, last_at from ledger_account
      order by 1, 2`.execute(tx.query);
    const transfers = await sql`select idempotency_key from ledger_transfer order by id`.execute(tx.query);
    return [entries.rows, accounts.rows, transfers.rows];
  });
}

const move = (
  key: string,
  seconds: number,
  ...entries: [LedgerEntry['account'], bigint, string?][]
): Move => ({
  key,
  at: new Date(start + seconds * 1000),
  entries: entries.map(([account, amountMinor, reference]) => ({
    account,
    amountMinor,
    ...(reference !== undefined && { reference }),
  })),
});

const outcomeOf = (posting: Promise<void>) =>
  posting.then(
    () => 'posted',
    (error: Error) => error.message,
  );

describe('a series', () => {
  it('posts the same as its transfers one by one, or is refused if one of them is', async () => {
    const account = fc.constantFrom<[LedgerEntry['account'], string?]>(
      ['available'],
      ['locked'],
      ['unsettled'],
      ['fees'],
      ['clearing', 'CN_BANK'],
      ['clearing', 'VN_NAPAS'],
    );
    const step = fc.record({
      from: account,
      to: account,
      amountMinor: fc.bigInt(1n, 1000n),
      feeMinor: fc.bigInt(0n, 5n),
      seconds: fc.integer({ min: 0, max: 1000 }),
    });
    let run = 0;
    const outcomes = new Set<string>();
    const funds = (['available', 'locked', 'unsettled'] as const).map((account) =>
      move(`funds ${account}`, 0, ['clearing', -700n], [account, 700n]),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), fc.nat(25), async (steps, split) => {
        run++;
        const [each, together] = [
          await product.merchant(`each-${run}`),
          await product.merchant(`all-${run}`),
        ];
        const moves = steps
          .map(({ from, to, amountMinor, feeMinor, seconds }, index) =>
            move(
              `m${String(index).padStart(2, '0')}`,
              seconds,
              [from[0], -amountMinor - feeMinor, from[1]],
              [to[0], amountMinor, to[1]],
              ['adjustments', feeMinor],
            ),
          )
          .filter(({ entries: [from, to, fee] }) =>
            from?.account === to?.account && from?.reference === to?.reference
              ? fee?.amountMinor !== 0n
              : true,
          )
          .sort((one, other) => one.at.getTime() - other.at.getTime() || (one.key < other.key ? -1 : 1));
        // In two parts, so that the second begins with accounts that have been used.
        for (const part of [funds, moves.slice(0, split), moves.slice(split)]) {
          const outcome = await outcomeOf(postEach(each, part));
          expect(await outcomeOf(postTogether(together, part))).toBe(outcome);
          if (part !== funds && part.length > 0) outcomes.add(outcome);
        }
        expect(await bookOf(together)).toEqual(await bookOf(each));
      }),
      { numRuns: 25 },
    );
    expect(outcomes).toEqual(new Set(['posted', 'insufficient_funds']));
  });

  it('is refused as a whole if funds run out midway, even if they suffice at the end', async () => {
    const merchant = await product.merchant('on-the-way');
    await postTogether(merchant, [move('funds', 0, ['clearing', -100n], ['available', 100n])]);
    const before = await bookOf(merchant);
    const through = [
      move('a', 1, ['available', -101n], ['locked', 101n]),
      move('b', 2, ['locked', -101n], ['available', 101n]),
    ];
    await expect(postTogether(merchant, through)).rejects.toThrow('insufficient_funds');
    expect(await bookOf(merchant)).toEqual(before);
  });

  it('refuses transfers that are unbalanced, empty, contradictory or already posted', async () => {
    const merchant = await product.merchant('refused');
    const good = move('good', 0, ['clearing', -100n], ['available', 100n]);
    await postTogether(merchant, [good]);
    const before = await bookOf(merchant);
    const two = [good, move('lopsided', 1, ['clearing', -5n], ['available', 6n])];
    await expect(postTogether(merchant, two)).rejects.toThrow(/ledger_unbalanced/);
    const nothing = [move('nothing', 1, ['clearing', 0n], ['available', 0n])];
    await expect(postTogether(merchant, nothing)).rejects.toThrow(/ledger_unbalanced/);
    const back = [move('back', 1, ['available', -7n], ['available', 7n])];
    await expect(postTogether(merchant, back)).rejects.toThrow(/ledger_unbalanced/);
    // Two timestamps under one key.
    const torn = [move('torn', 1, ['clearing', -1n]), move('torn', 2, ['available', 1n])];
    await expect(postTogether(merchant, torn)).rejects.toThrow(/ledger_unbalanced/);
    for (const missing of ['type', 'subject', 'at', 'kind', 'reference', 'amount', 'key']) {
      const fresh = [move(`without ${missing}`, 1, ['clearing', -1n], ['available', 1n])];
      await expect(postTogether(merchant, fresh, { [missing]: null })).rejects.toThrow(/ledger_unbalanced/);
    }
    await expect(postTogether(merchant, [good])).rejects.toThrow(/ledger_transfer_once/);
    expect(await bookOf(merchant)).toEqual(before);
  });

  it('requires a merchant', async () => {
    const call = sql`select ledger_post_series('CNY', array['k', 'k'], array['t', 't'], array['s', 's'],
      array[now(), now()], array['clearing', 'available'], array['', ''], array[-1, 1]::bigint[])`;
    await expect(product.services.database.asSystem((tx) => call.execute(tx.query))).rejects.toThrow(
      /needs a merchant/,
    );
  });
});
