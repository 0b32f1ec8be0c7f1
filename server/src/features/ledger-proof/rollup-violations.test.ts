import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import type { Tx } from '#db/database.ts';
import { fillWithOrders } from '../../testing/many-orders.ts';
import { TestProduct } from '../../testing/test-product.ts';
import { undone } from '../../testing/undone.ts';

let product: TestProduct;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  const merchant = await product.merchant('corrupt');
  await fillWithOrders(product.services.database, merchant.id, 6000);
  await product.services.database.asSystem((tx) =>
    sql`select close_rollup_days(${merchant.id})`.execute(tx.query),
  );
});
afterAll(() => product.close());

/** Corrupts something, reads the rules that are then violated, and undoes it. */
function rulesAfter(corruption: RawBuilder<unknown>): Promise<string[]> {
  return undone(product.services.database, async (tx) => {
    await corruption.execute(tx.query);
    return rules(tx);
  });
}

async function rules(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ rule: string }>`
    select distinct rule from (
      select * from collection_violations() union all select * from payout_violations() union all
      select * from rollup_day_violations()) found`.execute(tx.query);
  // These orders have no postings.
  return rows.map(({ rule }) => rule).filter((rule) => /rollup|closed/.test(rule));
}

it('finds nothing to begin with', async () => {
  expect(await product.services.database.asSystem(rules)).toEqual([]);
});

it.each([
  ['kind', sql`kind = case kind when 'payout' then 'collection' else 'payout' end`],
  ['axis', sql`axis = 'paid'`],
  ['currency', sql`currency = 'USD'`],
  ['bucket', sql`bucket = bucket + interval '1 minute'`],
  ['channel', sql`channel = 'ELSEWHERE'`],
  ['status', sql`status = 'failed'`],
  ['settlement status', sql`settlement_status = 'settled'`],
  ['count', sql`orders = orders + 1`],
  ['amount', sql`amount_minor = amount_minor + 1`],
  ['fee', sql`fee_minor = fee_minor + 1`],
])('finds a rollup with a wrong %s', async (_what, change) => {
  for (const [kind, rule] of [
    ['collection', 'rollup_is_sum_of_orders'],
    ['payout', 'payout_rollup_is_sum_of_orders'],
  ] as const) {
    const row = sql`(
      select merchant_id, kind, bucket, stripe from order_rollup where kind = ${kind} order by bucket desc limit 1)`;
    expect(
      await rulesAfter(
        sql`update order_rollup set ${change} where (merchant_id, kind, bucket, stripe) = ${row}`,
      ),
    ).toContain(rule);
  }
});

it.each([
  ['channel', sql`channel = 'ELSEWHERE'`],
  ['status', sql`status = 'failed'`],
  ['settlement status', sql`settlement_status = 'settled'`],
  ['day', sql`starts_on = starts_on - 1000`],
  ['count', sql`orders = orders + 1`],
  ['amount', sql`amount_minor = amount_minor + 1`],
  ['fee', sql`fee_minor = fee_minor + 1`],
])('finds a closed day or month with a wrong %s', async (_what, change) => {
  for (const period of ['day', 'month'])
    expect(await rulesAfter(sql`update order_rollup_period set ${change} where period = ${period}`)).toEqual([
      'closed_period_is_sum_of_buckets',
    ]);
});

it.each([
  ['channel', sql`day, 'ELSEWHERE', succeeded_counts, lost_counts`],
  ['day', sql`day - 1000, channel, succeeded_counts, lost_counts`],
  ['number of successes', sql`day, channel, array_fill(1::bigint, array[97]), lost_counts`],
  ['number of failures', sql`day, channel, succeeded_counts, array_fill(1::bigint, array[97])`],
])('finds outcomes of a closed day with a wrong %s', async (_what, values) => {
  // Nobody may update them.
  const rewritten = sql`
    with gone as (delete from order_outcome_day returning *)
    insert into order_outcome_day select merchant_id, kind, currency, ${values} from gone`;
  expect(await rulesAfter(rewritten)).toEqual(['closed_outcomes_are_sums_of_buckets']);
});

it('finds an order that no rollup counts, and a rollup without orders', async () => {
  expect(await rulesAfter(sql`update order_rollup set orders = 0, amount_minor = 0, fee_minor = 0`)).toEqual(
    expect.arrayContaining(['rollup_is_sum_of_orders', 'payout_rollup_is_sum_of_orders']),
  );
  expect(
    await rulesAfter(sql`insert into order_rollup
      select id, 'payout', 'created', 'CNY', rollup_bucket(now()), '', 'pending', '', 9, 1, 1, 0 from merchant`),
  ).toEqual(['payout_rollup_is_sum_of_orders']);
});
