import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { asOwner } from '#db/owner.ts';
import { root } from '#folders.ts';
import { type TestMerchant, TestProduct } from '../../../testing/test-product.ts';

let product: TestProduct;
let merchant: TestMerchant;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  merchant = await product.merchant('upgrade');
});
afterAll(() => product.close());

let count = 0;
async function paid(): Promise<string> {
  const order = { out_trade_no: `upgrade-${++count}`, amount: '100.00', channel: 'CN_BANK' };
  const { trade_no: reference } = (await merchant.program.create(order.out_trade_no, order)).json;
  const report = { status: 'paid', bankReference: 'b', reason: null, currency: 'CNY' } as const;
  await product.services.collections.report({ reference, amountMinor: 10_000n, ...report });
  return reference;
}

/** Gives a payment back as a whole. */
async function giveBack(tradeNo: string): Promise<void> {
  const asked = await merchant.program.post('/openapi/v1/refunds', {
    out_refund_no: `r-${tradeNo}`,
    trade_no: tradeNo,
  });
  const report = { status: 'refunded', reason: null, bankReference: null } as const;
  await product.services.refundDispatch.report(merchant.id, asked.json.refund_no, report);
}

/** Makes the settlement that the version before would make: it does not know which payments are never settled. */
const settleAsBefore = () =>
  product.services.database.asSystemFor(merchant.id, (tx) =>
    sql`with open as (
        select id, currency, amount_minor, fee_minor from collection
        where merchant_id = ${merchant.id} and settlement_status = 'unsettled' and refund_requested_at is null
        order by paid_at, id limit 2 -- As many as the unsettled funds cover.
      ), batch as (
        insert into settlement (merchant_id, settlement_no, currency, order_count, refund_count, amount_minor, fee_minor,
          refunded_minor, cut_off_at)
        select ${merchant.id}::bigint, new_trade_no('S', ${merchant.id}::bigint, now()), min(currency), count(*), 0,
          sum(amount_minor), sum(fee_minor), 0, now() from open
        returning id
      )
      update collection c set settlement_status = 'pendingSettlement', settlement_id = batch.id
      from batch where c.merchant_id = ${merchant.id} and c.id in (select id from open)`.execute(tx.query),
  );
const settle = async () => {
  for (const { settlement_no: no } of await pending())
    await product.services.settlements.settle(merchant.id, no);
};
const pending = async () =>
  (
    await product.services.database.asMerchant(merchant.id, (tx) =>
      sql<{ settlement_no: string }>`select settlement_no from settlement
        where merchant_id = ${merchant.id} and status = 'pendingSettlement'`.execute(tx.query),
    )
  ).rows;
const migration = (name: string) => readFile(join(root, 'server/migrations', name), 'utf8');

it('the version before cannot settle a payment that was given back, and what it has settled so is mended', async () => {
  await paid();
  await giveBack(await paid());
  await expect(settleAsBefore()).rejects.toThrow('collection_settles_or_not');
  expect(await product.violations()).toEqual([]);
  // As if it had done so before this version's constraint.
  await asOwner(product.ownerUrl, (client) =>
    client.query('alter table collection drop constraint collection_settles_or_not'),
  );
  await paid();
  await settleAsBefore();
  await settle();
  const broken = (await product.violations()).map(({ rule }) => rule);
  expect(broken).toContain('unsettled_is_sum_of_orders');
  for (const name of ['0077_settled_or_given_back.sql', '0078_settled_or_given_back_checked.sql']) {
    const text = (await migration(name)).replace(/alter table payment_link_order.*$/m, '');
    await asOwner(product.ownerUrl, (client) => client.query(`begin; ${text}; commit`));
  }
  expect(await product.violations()).toEqual([]);
  // The refund is deducted from the next payments.
  await paid();
  await paid();
  const [next] = await product.services.settlements.runNow(merchant.id, new Date(Date.now() + 1000));
  const person = await product.person(merchant);
  expect((await person.get(`/api/merchant/settlements/${next}`)).json.data).toMatchObject({
    orderCount: 3,
    refundCount: 1,
    net: '198.80',
  });
  expect(await product.violations()).toEqual([]);
});

it('a person who read the secret of a key before such readers were recorded is recorded, and no later one', async () => {
  await product.person(merchant, 'DEVELOPER', 'early');
  const { rows } = await product.services.database.asSystem((tx) =>
    sql<{
      id: bigint;
    }>`select user_id as id from membership where merchant_id = ${merchant.id} order by user_id desc limit 1`.execute(
      tx.query,
    ),
  );
  const id = rows[0]?.id ?? expect.fail('no member');
  const read = (keyId: string, at: string) =>
    product.services.database.asSystemFor(merchant.id, (tx) =>
      sql`insert into audit (merchant_id, actor, action, subject, at)
        values (${merchant.id}, ${`user:${id}`}, 'access_key.reveal', ${keyId}, ${at}::timestamptz)`.execute(
        tx.query,
      ),
    );
  await product.monthsSince(new Date('2026-06-01'));
  await asOwner(product.ownerUrl, (client) =>
    client.query(
      `update schema_migration set applied_at = '2026-08-01' where name = '0027_team_approvals.sql'`,
    ),
  );
  await read('k-early', '2026-07-01');
  await read('k-late', '2026-09-01');
  await asOwner(product.ownerUrl, async (client) =>
    client.query(`begin; ${await migration('0081_earlier_key_readers.sql')}; commit`),
  );
  const found = await product.services.database.asMerchant(merchant.id, (tx) =>
    tx.query.selectFrom('access_key_reader').select(['key_id', 'user_id']).execute(),
  );
  expect(found).toEqual([{ key_id: 'k-early', user_id: id }]);
});
