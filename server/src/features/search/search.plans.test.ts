import { searchKinds } from '@hengfu/contract/search';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { asOwner } from '#db/owner.ts';
import { fillWithOrders } from '../../testing/many-orders.ts';
import { explainAnalyze, type Plan } from '../../testing/plans.ts';
import { TestProduct } from '../../testing/test-product.ts';
import { hitsStatement } from './search.sql.ts';

let product: TestProduct;
let merchantId: bigint;

const count = 6000;
/** Blocks of 8 KiB that a search may touch, however many rows there are. */
const mostBlocks = 200;
/** Rows that may be read and then filtered out. */
const mostRemoved = 20;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  ({ id: merchantId } = await product.merchant('many'));
  const other = (await product.merchant('others')).id;
  for (const id of [merchantId, other]) await fillWithOrders(product.services.database, id, count);
  await asOwner(product.ownerUrl, (client) => client.query('analyze'));
});
afterAll(() => product.close());

/** Runs a search with its usual rights; returns the executed plan and the number of hits. */
async function runSearch(text: string): Promise<{ nodes: Plan[]; found: number }> {
  return product.services.database.asMerchant(merchantId, async (tx) => {
    const statement = hitsStatement(merchantId, searchKinds, text);
    const { rows: hits } = await statement.execute(tx.query);
    return { nodes: await explainAnalyze(tx, statement), found: hits.length };
  });
}

describe.each([
  ['a number', (): string => `P${merchantId}-77`, 1],
  ['a merchant’s own number', (): string => 'SHOP77', 5],
  ['a prefix that all numbers share', (): string => 'SHOP', 5],
  ['a reference', (): string => 'REF77', 2],
  ['a reference that half of the orders share', (): string => 'SAMEREF', 10],
  ['a name that half of the payouts share', (): string => 'same name', 5],
  ['a prefix that half of the names share', (): string => 'nguyen', 5],
  ['a prefix that all accounts share', (): string => '6222', 5],
  ['a wallet that all share', (): string => 'TSame', 10],
  ['a text without a match', (): string => 'nowhere', 0],
] as const)('%s', (_what, text, expected) => {
  it('is found through indexes only, reading few blocks', async () => {
    const { nodes, found } = await runSearch(text());
    expect(found).toBe(expected);
    const scans = nodes.filter((node) => node['Relation Name'] !== undefined);
    expect(scans.length).toBeGreaterThan(searchKinds.length);
    expect(scans.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
    expect(Math.max(...scans.map((node) => node['Rows Removed by Filter'] ?? 0))).toBeLessThan(mostRemoved);
    const [top] = nodes;
    expect((top?.['Shared Hit Blocks'] ?? 0) + (top?.['Shared Read Blocks'] ?? 0)).toBeLessThan(mostBlocks);
  });
});

it('stores each payee and account once, however many payouts name it', async () => {
  const { rows } = await product.services.database.asMerchant(merchantId, (tx) =>
    sql<{ field: string; count: bigint }>`
      select field, count(*) from payout_party group by field order by field`.execute(tx.query),
  );
  expect(rows).toEqual([
    { field: 'account_key', count: BigInt(count - count / 3 + 1) },
    { field: 'payee', count: BigInt(count / 2 + 1) },
  ]);
});
