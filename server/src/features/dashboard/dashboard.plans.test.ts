import { maxSplitRefusals } from '@hengfu/contract/dashboard';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import type { MerchantTx } from '#db/database.ts';
import { asOwner } from '#db/owner.ts';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';
import { until } from '../../testing/until.ts';
import { readEnded, readRefusals } from './dashboard.sql.ts';

let product: TestProduct;
let merchant: TestMerchant;
const refused = maxSplitRefusals + 200;
const span = [new Date(Date.now() - 40 * 86_400_000), new Date()] as const;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  merchant = await product.merchant('refused');
  await product.services.database.asSystem(async (tx) => {
    await sql`
      insert into collection (merchant_id, trade_no, out_trade_no, request_hash, status, currency, amount_minor, channel, cashier_token,
        created_at, expires_at, failure_code)
      select ${merchant.id}, 'X' || n, n, '', case when n % 2 = 0 then 'failed' else 'closed' end, 'CNY', 100, 'CN_BANK', 'x' || n,
        now() - n * interval '15 minutes', now(), case when n % 2 = 0 then 'other' end
      from generate_series(1, 2 * ${refused}::integer) n`.execute(tx.query);
    await sql`
      insert into payout (merchant_id, trade_no, request_hash, status, currency, amount_minor, fee_minor, channel, payee,
        payee_account, account_key, source, created_by, created_at, sent_at, rejected_at, reject_code)
      select ${merchant.id}, 'Y' || n, '', 'rejected', 'CNY', 100, 0, 'CN_BANK', 'P', 'A', 'CN_BANK A', 'console', 'user:1', at, at, at,
        'accountClosed'
      from generate_series(1, ${refused}::integer) n cross join lateral (select now() - n * interval '15 minutes' as at) made`.execute(
      tx.query,
    );
  });
}, 60_000);
afterAll(() => product.close());

it('counts the reasons of refusals without reading the orders', async () => {
  // A vacuum marks pages as visible only while no transaction is older than their rows.
  await until(
    async () => {
      await asOwner(product.ownerUrl, (client) => client.query('vacuum (analyze) collection, payout'));
      return product.services.database.asMerchant(merchant.id, async (tx) => {
        const before = await readRows(tx, ['collection', 'payout']);
        expect(await readRefusals(tx, 'CNY', span, maxSplitRefusals)).toEqual([
          { kind: 'collection', code: 'other', orders: maxSplitRefusals },
          { kind: 'payout', code: 'accountClosed', orders: maxSplitRefusals },
        ]);
        return (await readRows(tx, ['collection', 'payout'])) - before;
      });
    },
    (read) => read === 0,
  );
});

it('counts expired and cancelled collections without reading the sums of others', async () => {
  await asOwner(product.ownerUrl, (client) => client.query('analyze order_rollup'));
  await product.services.database.asMerchant(merchant.id, async (tx) => {
    const before = await readRows(tx, ['order_rollup']);
    expect(await readEnded(tx, 'CNY', span, ['closed', 'cancelled'])).toEqual([
      { status: 'closed', orders: refused },
    ]);
    expect((await readRows(tx, ['order_rollup'])) - before).toBeLessThanOrEqual(refused);
  });
});

/** How many rows of these tables the session has read, in this transaction and in earlier ones that are not reported yet. */
async function readRows(tx: MerchantTx, tables: readonly string[]): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select sum(idx_tup_fetch + seq_tup_read)::integer as read from pg_stat_xact_user_tables
    where relname = any(${[...tables]}::text[])`.execute(tx.query);
  return rows[0]?.read ?? 0;
}
