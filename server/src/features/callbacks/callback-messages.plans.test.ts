import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { pageStatement } from '#domain/list-source.sql.ts';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';
import { messageSource } from './callback-messages.sql.ts';

let product: TestProduct;
let merchant: TestMerchant;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  merchant = await product.merchant('planned');
  // Few are undelivered, and few are for the endpoint.
  await product.services.database.asSystemFor(merchant.id, (tx) =>
    sql`insert into callback_message
        (merchant_id, subject_kind, subject_no, event, url, body, created_at, delivered_at, endpoint_id)
      select ${merchant.id}, 'payout', 'P' || i, 'payout.processed', 'https://shop.test/', '{}', now() - i * interval '1 second',
        case when i % 100 > 0 then now() end, case when i % 100 = 1 then 7 end
      from generate_series(1, 20000) i`.execute(tx.query),
  );
  await product.services.database
    .asSystem((tx) => sql`analyze callback_message`.execute(tx.query))
    .catch(() => {});
});
afterAll(() => product.close());

it.each([
  [{}, 'callback_message_newest'],
  [{ endpoint: '7' }, 'callback_message_by_endpoint'],
  [{ state: ['waiting' as const] }, 'callback_message_undelivered'],
  [{ state: ['waiting' as const, 'givenUp' as const] }, 'callback_message_undelivered'],
])('the list with %j is read by an index of its own', async (filters, index) => {
  const plan = await product.services.database.asMerchant(merchant.id, async (tx) => {
    await sql`set local enable_seqscan = off`.execute(tx.query);
    await sql`set local enable_bitmapscan = off`.execute(tx.query);
    const { rows } = await sql<{
      'QUERY PLAN': string;
    }>`explain ${pageStatement(messageSource(tx, filters), 21)}`.execute(tx.query);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
  expect(plan).toContain(index);
  expect(plan).not.toContain('Sort Key: ((m.created_at');
});
