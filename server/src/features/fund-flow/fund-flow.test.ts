import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { asOwner } from '#db/owner.ts';
import { explainAnalyze } from '../../testing/plans.ts';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';
import type { Visitor } from '../../testing/visitor.ts';
import { rangeStatement } from './fund-flow.sql.ts';

let product: TestProduct;
let merchants = 0;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
});
afterAll(async () => {
  expect(await product.violations()).toEqual([]);
  expect(await product.deadlocks()).toBe(0);
  await product.close();
});

const path = '/api/merchant/fund-flow';
/** Reads a page of the statement and the sums of its range. */
async function statement(visitor: Visitor, query = '') {
  const params = new URLSearchParams(query);
  const range = new URLSearchParams([...params].filter(([name]) => name.startsWith('created')));
  const { json } = await visitor.get(`${path}?${params}`);
  return { ...json, statement: (await visitor.get(`${path}/sums?${range}`)).json.data };
}

async function owner(funds: readonly string[] = []): Promise<{ merchant: TestMerchant; visitor: Visitor }> {
  const merchant = await product.merchant(`flow${++merchants}`);
  for (const amount of funds) await product.fund(merchant, amount);
  return { merchant, visitor: await product.person(merchant) };
}
/** Moves funds; each time, if no key is given. */
const move = (
  from: TestMerchant,
  to: TestMerchant,
  amountMinor: bigint,
  key: string = randomUUID(),
  note?: string,
) => product.services.fundsTransfers.transfer({ from, to, amountMinor, key, note }, 'operator:test');

describe('the statement', () => {
  it('of a merchant without funds is empty, with zero sums', async () => {
    const { visitor } = await owner();
    expect(await statement(visitor)).toMatchObject({
      data: [],
      statement: { opening: '0.00', in: '0.00', out: '0.00', closing: '0.00', count: 0 },
    });
  });

  it('lists each change with its type, order and balance, newest first', async () => {
    const { merchant, visitor } = await owner(['1000.00', '500.00']);
    const { merchant: other, visitor: others } = await owner();
    const number = await move(merchant, other, 12_345n);
    const { data, statement: sums, sum } = await statement(visitor);
    expect(
      data.map(({ type, amount, balance, entry_no }: Record<string, string>) => [
        entry_no,
        type,
        amount,
        balance,
      ]),
    ).toEqual([
      ['3', 'transferOut', '-123.45', '1367.55'],
      ['2', 'collectionSettlement', '497.00', '1491.00'],
      ['1', 'collectionSettlement', '994.00', '994.00'],
    ]);
    expect(data[0].subject_no).toBe(number);
    expect(sums).toEqual({
      currency: 'CNY',
      opening: '0.00',
      in: '1491.00',
      out: '123.45',
      closing: '1367.55',
      count: 3,
    });
    expect(sum.amount).toBe('1367.55');
    expect((await statement(others)).data).toMatchObject([
      { type: 'transferIn', amount: '123.45', subject_no: number },
    ]);
    // Filters do not change the sums of the range.
    const filtered = await statement(visitor, 'type=transferOut,withdrawal');
    expect([filtered.data.length, filtered.sum.amount, filtered.statement]).toEqual([1, '-123.45', sums]);
    expect((await statement(visitor, `subject_no=${number}`)).data).toHaveLength(1);
    const byBeginning = await statement(visitor, `subject_no=${number.slice(0, -2)}`);
    expect([byBeginning.data.length, byBeginning.sum.amount]).toEqual([1, '-123.45']);
    expect((await statement(visitor, `subject_no=${number.slice(1)}`)).data).toEqual([]);
    expect((await statement(others, `subject_no=${data[1].subject_no}`)).data).toEqual([]);
  });

  it('opens each range with the closing balance of the range before it', async () => {
    const { visitor } = await owner(['100.00', '200.00', '300.00', '400.00']);
    const { data } = await statement(visitor);
    const cuts = [
      undefined,
      ...data.map(({ createdAt }: { createdAt: string }) => createdAt).toReversed(),
      undefined,
    ];
    let closing = '0.00';
    let count = 0;
    for (let index = 0; index + 1 < cuts.length; index++) {
      const from = cuts[index] ? `createdFrom=${cuts[index]}` : '';
      const to = cuts[index + 1] ? `&createdTo=${cuts[index + 1]}` : '';
      const { statement: sums, data: rows } = await statement(visitor, from + to);
      expect(sums.opening).toBe(closing);
      expect(rows).toHaveLength(sums.count);
      closing = sums.closing;
      count += sums.count;
    }
    expect([closing, count]).toEqual(['994.00', 4]);
    const backwards = await statement(
      visitor,
      `createdFrom=${data[0].createdAt}&createdTo=${data[2].createdAt}`,
    );
    expect([backwards.data, backwards.statement.count]).toEqual([[], 0]);
  });

  it('finds the ends of a range in few blocks, however many entries there are', async () => {
    const { merchant } = await owner();
    const range = { createdFrom: '2026-01-01T00:00:00Z', createdTo: '2030-01-01T00:00:00Z' };
    await product.services.database.asMerchant(merchant.id, (tx) =>
      sql`select ledger_post('correction', 'many:' || n, 'T' || n, 'CNY', array['available', 'adjustments'], array['', ''],
        array[1, -1], now()) from generate_series(1, 3000) n`.execute(tx.query),
    );
    await asOwner(product.ownerUrl, (client) => client.query('analyze ledger_entry'));
    const plan = await product.services.database.asMerchant(merchant.id, async (tx) => {
      // The first execution of a connection also reads the catalog.
      await rangeStatement(tx, 'CNY', range).execute(tx.query);
      return explainAnalyze(tx, rangeStatement(tx, 'CNY', range));
    });
    expect((plan[0]?.['Shared Hit Blocks'] ?? 0) + (plan[0]?.['Shared Read Blocks'] ?? 0)).toBeLessThan(400);
  });

  it('pages through every row exactly once', async () => {
    const { merchant, visitor } = await owner(['1000.00']);
    const { merchant: other } = await owner();
    for (let index = 0; index < 45; index++) await move(merchant, other, 100n);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await statement(visitor, cursor ? `cursor=${cursor}` : '');
      seen.push(...page.data.map(({ entry_no }: { entry_no: string }) => entry_no));
      cursor = page.next;
      if (page.previous) {
        const back = await statement(visitor, `cursor=${page.previous}`);
        expect(back.data.at(-1).entry_no).toBe(seen.at(-page.data.length - 1));
      }
    } while (cursor);
    expect(seen).toEqual(Array.from({ length: 46 }, (_, index) => String(46 - index)));
  });

  it('stays in chronological order when an earlier transaction posts later', async () => {
    const { merchant } = await owner(['1000.00']);
    const { merchant: other } = await owner();
    await Promise.all(Array.from({ length: 40 }, () => move(merchant, other, 100n)));
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        index % 2 ? move(merchant, other, 100n) : move(other, merchant, 100n),
      ),
    );
    expect(await product.violations()).toEqual([]);
  });

  it.each([
    ['type=gift', 'type'],
    ['createdFrom=yesterday', 'createdFrom'],
    ['limit=1000000000', 'limit'],
    ['cursor=***', 'cursor'],
    ['amount=1', ''],
  ])('refuses %s', async (query, field) => {
    const { visitor } = await owner();
    const answer = await visitor.get(`${path}?${query}`);
    expect(answer.status).toBe(422);
    if (field) expect(Object.keys(answer.json.errors)).toEqual([field]);
  });

  it('finds the entry before an instant as a full scan does', async () => {
    const { merchant } = await owner(['10.00', '20.00', '30.00']);
    const { rows } = await product.services.database.asSystem((tx) =>
      sql<{ found: bigint; counted: bigint }>`
        select coalesce((ledger_entry_before(a.merchant_id, a.id, e.created_at + shift * interval '1 microsecond')).version, 0) as found,
          (select count(*) from ledger_entry x where x.account_id = a.id
            and x.created_at < e.created_at + shift * interval '1 microsecond') as counted
        from ledger_account a join ledger_entry e on e.account_id = a.id cross join generate_series(-1, 1) as shift
        where a.merchant_id = ${merchant.id}`.execute(tx.query),
    );
    expect(rows.length).toBeGreaterThan(20);
    for (const { found, counted } of rows) expect(found).toBe(counted);
  });
});

describe('a transfer between merchants', () => {
  it('moves both sides or neither', async () => {
    const [{ merchant: poor }, { merchant: rich, visitor }] = [await owner(), await owner(['100.00'])];
    await expect(move(poor, rich, 1n)).rejects.toMatchObject({ code: 'insufficient_funds' });
    await expect(move(rich, rich, 1n)).rejects.toMatchObject({ code: 'validation_failed' });
    await expect(move(rich, poor, 0n)).rejects.toMatchObject({ code: 'validation_failed' });
    const abroad = await product.merchant(`abroad${++merchants}`, 'VND');
    await expect(move(rich, abroad, 1n)).rejects.toMatchObject({ code: 'validation_failed' });
    expect((await statement(visitor)).statement.closing).toBe('99.40');
  });

  it('happens once per idempotency key, even when requested concurrently', async () => {
    const [{ merchant: from, visitor }, { merchant: to }] = [await owner(['100.00']), await owner()];
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => move(from, to, 100n, 'once')));
    const [first] = results;
    expect(first).toMatchObject({ status: 'fulfilled', value: expect.stringMatching(/^F/) });
    expect(results).toEqual(Array(10).fill(first));
    expect((await statement(visitor)).statement).toMatchObject({ out: '1.00', closing: '98.40' });
  });

  it('is refused under the key of another transfer, whose number it names', async () => {
    const [{ merchant: from, visitor }, { merchant: to }] = [
      await owner(['100.00']),
      await owner(['100.00']),
    ];
    const { merchant: third } = await owner(['100.00']);
    const number = await move(from, to, 100n, 'reused', 'first');
    expect(await move(from, to, 100n, 'reused', 'first')).toBe(number);
    for (const other of [
      () => move(from, to, 101n, 'reused', 'first'),
      () => move(from, to, 100n, 'reused', 'second'),
      () => move(from, to, 100n, 'reused'),
      () => move(from, third, 100n, 'reused', 'first'),
      () => move(third, to, 100n, 'reused', 'first'),
    ])
      await expect(other()).rejects.toMatchObject({ code: 'idempotency_key_reused', values: { number } });
    expect((await statement(visitor)).statement).toMatchObject({ out: '1.00', closing: '98.40' });
  });
});
