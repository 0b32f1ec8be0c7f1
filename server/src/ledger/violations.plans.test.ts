import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { loadYear } from '../testing/loader.sql.ts';
import { explainAnalyze, type Plan } from '../testing/plans.ts';
import { TestProduct } from '../testing/test-product.ts';
import { undone } from '../testing/undone.ts';
import { violations, violationsQuery } from './ledger.ts';

/** Of a hundred, one is refunded. */
const collections = 20_000;
/** A few for each order. Each refund with each transfer would be four million. */
const maxPairsInVain = 20 * collections;

let product: TestProduct;
beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  const { id } = await product.merchant('year');
  await loadYear(product.ownerUrl, id, collections, 90);
});
afterAll(() => product.close());

/** Counts the rows that a join, or its inner scan, compared in vain. */
const pairsInVain = (node: Plan) =>
  ((node['Rows Removed by Join Filter'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];

it('the ledger is verified in time that grows with its size, not with the square of it', async () => {
  expect(await product.violations()).toEqual([]);
  const nodes = await product.services.database.asSystem((tx) => explainAnalyze(tx, violationsQuery));
  expect(Math.max(...nodes.map(pairsInVain))).toBeLessThan(maxPairsInVain);
  // The plan is that of the functions' statements, and reads the orders.
  expect(nodes.some((node) => node['Relation Name'] === 'refund')).toBe(true);
});

it.each([
  ['collection', 'paid_at is not null', 'payment_is_amount_less_fee'],
  ['payout', 'paid_at is not null', 'deduction_is_amount_and_fee'],
  ['refund', "status = 'refunded'", 'posted_refund_is_its_parts'],
])('a posting with another amount than its %s is found', async (table, wherePosted, rule) => {
  const corrupt = sql`update ${sql.table(table)} set amount_minor = amount_minor + 1
    where (merchant_id, id) = (select merchant_id, id from ${sql.table(table)} where ${sql.raw(wherePosted)} limit 1)`;
  const found = await undone(product.services.database, async (tx) => {
    await corrupt.execute(tx.query);
    return violations(tx);
  });
  expect(found.map((violation) => violation.rule)).toContain(rule);
});
