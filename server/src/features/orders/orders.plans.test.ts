import type { OrderQuery } from '@hengfu/contract/staff/orders';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { asOwner } from '#db/owner.ts';
import { fillWithOrders } from '../../testing/many-orders.ts';
import { explainAnalyze, type Plan } from '../../testing/plans.ts';
import { TestProduct } from '../../testing/test-product.ts';
import { TestStaff } from '../../testing/test-staff.ts';
import { ordersStatement } from './orders-list.sql.ts';

const merchants = 30;
const busy = 2;
const orders = 4000;
const fewOrders = 300;
const pageRows = 51;
/** Rows that one step into an index may read and then filter out. */
const mostRemoved = 20;
/** Blocks of 8 KiB for each merchant, and for each row of the page. */
const blocksPerMerchant = 30;
const blocksPerRow = 60;

let product: TestProduct;
let staff: TestStaff;
let busyId: bigint;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  staff = await TestStaff.start(product);
  for (let nth = 0; nth < merchants; nth++) {
    const { id } = await product.merchant(`m${nth}`);
    if (nth === 0) busyId = id;
    await fillWithOrders(product.services.database, id, nth < busy ? orders : fewOrders);
  }
  // Some of the payouts have ended, few of them badly, and none of the quiet merchants’.
  await product.services.database.asSystem(async (tx) => {
    await tx.disableTimeouts();
    await sql`update payout set status = 'processed', sent_at = created_at, paid_at = created_at where id % 10 > 3`.execute(
      tx.query,
    );
    await sql`update payout set status = 'rejected', paid_at = null, rejected_at = created_at
      where merchant_id = ${busyId} and amount_minor % 500 = 0`.execute(tx.query);
  });
  await asOwner(product.ownerUrl, (client) => client.query('vacuum analyze'));
}, 120_000);
afterAll(async () => {
  await staff.close();
  await product.close();
});

const cursor = { direction: 'next', at: new Date(Date.now() - 3_600_000), id: '10' } as const;

/** Runs the statement with the rights of the back office. */
async function run(
  query: Partial<OrderQuery>,
  at?: typeof cursor,
): Promise<{ nodes: Plan[]; found: number }> {
  return staff.runtime.database.asSystem(async (tx) => {
    const statement = ordersStatement({ limit: pageRows - 1, ...query }, at, pageRows);
    if (!statement) throw new Error('the query matches no kind');
    const { rows } = await statement.execute(tx.query);
    return { nodes: await explainAnalyze(tx, statement), found: rows.length };
  });
}

describe.each<[string, () => Partial<OrderQuery>, number, typeof cursor?]>([
  ['all orders', () => ({}), pageRows],
  ['a later page', () => ({}), pageRows, cursor],
  ['payouts', () => ({ kind: 'payout' }), pageRows],
  ['a common status', () => ({ status: ['processed'] }), pageRows],
  ['a status that few have', () => ({ status: ['rejected'] }), 8],
  ['a status that nobody has', () => ({ status: ['refunded'] }), 0],
  ['several statuses', () => ({ status: ['rejected', 'processing', 'cancelled'] }), 8],
  ['a channel', () => ({ channel: 'CN_BANK' }), pageRows],
  ['a channel that nobody has', () => ({ channel: 'BR_PIX' }), 0],
  ['one merchant', () => ({ merchant: 'm0' }), pageRows],
  ['one merchant and a status', () => ({ merchant: 'm0', status: ['rejected'] }), 8],
  ['a time before all orders', () => ({ createdTo: '2020-01-01T00:00:00Z' }), 0],
  ['a number', () => ({ search: `P${busyId}-77` }), 0],
  ['a merchant’s own number', () => ({ search: 'SHOP77' }), merchants],
  ['a reference', () => ({ search: 'REF77' }), pageRows],
  ['a refund’s number', () => ({ search: `C${busyId}-77-R1` }), 0],
  ['a merchant’s own number of a refund', () => ({ search: 'BACK77' }), merchants],
  ['a channel’s number of a refund', () => ({ search: 'BR77' }), merchants],
  ['an account', () => ({ search: '622200000001' }), merchants],
  ['a text without a match', () => ({ search: 'nowhere' }), 0],
])('%s', (_what, query, expected, at) => {
  it('takes one step into an index for each merchant, and reads no table', async () => {
    const { nodes, found } = await run(query(), at);
    expect(found).toBe(expected);
    const scans = nodes.filter(
      (node) => node['Relation Name'] !== undefined && node['Relation Name'] !== 'merchant',
    );
    expect(scans.length).toBeGreaterThan(0);
    expect(scans.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
    expect(Math.max(...scans.map((node) => node['Rows Removed by Filter'] ?? 0))).toBeLessThan(mostRemoved);
    // Each index is entered by the merchant: once for each, and never once for all.
    const all = scans.filter(
      (node) => node['Index Cond'] !== undefined && !node['Index Cond'].includes('merchant_id'),
    );
    expect(all.map((node) => [node['Index Name'], node['Index Cond']])).toEqual([]);
    const [top] = nodes;
    const blocks = (top?.['Shared Hit Blocks'] ?? 0) + (top?.['Shared Read Blocks'] ?? 0);
    expect(blocks).toBeLessThan(blocksPerMerchant * merchants + blocksPerRow * pageRows);
  });
});
