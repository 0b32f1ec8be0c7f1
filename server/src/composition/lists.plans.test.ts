import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { asOwner } from '#db/owner.ts';
import type { Home } from '#domain/caller.ts';
import { pageStatement } from '#domain/list-source.sql.ts';
import { type KnownList, knownLists } from '../testing/known-lists.ts';
import { filterSetsOf, filtersOf, noMatch } from '../testing/list-filters.ts';
import { fillWithOrders } from '../testing/many-orders.ts';
import { explainAnalyze, type Plan } from '../testing/plans.ts';
import { TestProduct } from '../testing/test-product.ts';

let product: TestProduct;
let home: Home;

const count = 6000;
const row = {
  amount: '10.00',
  channel: 'CN_BANK',
  network: 'TRC20',
  bank: 'ICBC',
  ifsc: 'SAME0000000',
  accountType: 'CPF',
  taxId: '52998224725',
};
const pageSize = 20;
/** Enough for a page from each of a few index scans, and far below the number of rows that a filter matches. */
const maxRowsRead = 10 * pageSize;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  const merchantId = (await product.merchant('many')).id;
  const other = (await product.merchant('others')).id;
  for (const id of [merchantId, other]) await fillWithOrders(product.services.database, id, count);
  await asOwner(product.ownerUrl, (client) => client.query('analyze'));
  home = { merchantId, code: 'many', name: 'Many', currency: 'CNY', zone: 'Asia/Shanghai' };
});
afterAll(() => product.close());

/** A failure shows so many sets of filters. */
const shownSets = 3;

/** Lists the first sets of filters that scan a whole table, or sort every match. */
async function withoutIndex(list: KnownList): Promise<string[]> {
  return product.services.database.asMerchant(home.merchantId, async (tx) => {
    // On small tables the planner ignores indexes; these settings make it use them wherever it can.
    for (const way of ['seqscan', 'bitmapscan', 'sort'])
      await sql`set local ${sql.raw(`enable_${way}`)} = off`.execute(tx.query);
    const found: string[] = [];
    for (const filters of filterSetsOf(list, row)) {
      if (found.length === shownSets) break;
      const source = await list.source(tx, home, filters);
      if (source && (await explainAnalyze(tx, pageStatement(source, pageSize + 1))).some(isUnbounded))
        found.push(JSON.stringify(filters));
    }
    return found;
  });
}

function isUnbounded(node: Plan): boolean {
  if (node['Node Type'] === 'Seq Scan') return node['Relation Name'] !== 'ledger_account';
  const inputs = (node.Plans ?? []).map((plan) => plan['Actual Rows']);
  return node['Node Type'].endsWith('Sort') && Math.max(...inputs) > maxRowsRead;
}

it.each(knownLists)(
  'the list of $name reads every set of its filters in index order',
  async (list) => {
    expect([...filterSetsOf(list, row)].length).toBeGreaterThan(4);
    expect(await withoutIndex(list)).toEqual([]);
  },
  240_000,
);

it.each(knownLists)('the list of $name discards few rows for a filter that matches nothing', async (list) => {
  const texts = filtersOf(list, row).flatMap((values) =>
    values.filter((value) => Object.values(value)[0] === noMatch),
  );
  const removed = await product.services.database.asMerchant(home.merchantId, async (tx) => {
    const found: [string, number][] = [];
    for (const filters of texts) {
      const source = await list.source(tx, home, filters);
      const nodes = source ? await explainAnalyze(tx, pageStatement(source, pageSize + 1)) : [];
      found.push([
        Object.keys(filters).join(),
        Math.max(0, ...nodes.map((node) => node['Rows Removed by Filter'] ?? 0)),
      ]);
    }
    return found;
  });
  expect(removed.filter(([, rows]) => rows > (list.quota ?? maxRowsRead))).toEqual([]);
});

it('the check fails if an index is missing', async () => {
  const [transactions] = knownLists;
  await asOwner(product.ownerUrl, (client) => client.query('drop index collection_newest'));
  expect(transactions && (await withoutIndex(transactions)).length).toBeGreaterThan(0);
});
