import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { refreshStatistics } from '#db/owner.ts';
import { plainApplication } from '../../testing/plain-application.ts';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';
import { type Application, takePayouts } from './payouts.sql.ts';

let product: TestProduct;
let busy: TestMerchant;
const earlier = 2000;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  busy = await product.merchant('busy');
  await product.fund(busy, '100.00');
  // So many merchants that the planner expects few payouts of each.
  await product.services.database.asSystem(async (tx) => {
    await sql`
      insert into merchant (code, name, home_currency, zone, next_settlement_at)
      select 'm' || n, 'M', 'CNY', 'UTC', now() from generate_series(1, 100) n`.execute(tx.query);
    await sql`
      insert into payout (merchant_id, trade_no, out_trade_no, request_hash, currency, amount_minor, fee_minor, channel, payee,
        payee_account, account_key, source, created_by)
      select m.id, 'P' || m.id || '-' || n, 'old-' || n, '', 'CNY', n, 0, 'CN_BANK', 'P', n, 'CN_BANK ICBC ' || n, 'openApi', 'key:x'
      from merchant m cross join generate_series(1, ${earlier}::integer) n where m.id = ${busy.id} or n = 1`.execute(
      tx.query,
    );
  });
  await refreshStatistics(product.ownerUrl);
});
afterAll(() => product.close());

const application = (): Application => ({
  merchantId: busy.id,
  outTradeNo: 'new',
  requestHash: Buffer.from([1]),
  amountMinor: 100n,
  currency: 'CNY',
  channel: 'CN_BANK',
  payee: 'P',
  payeeAccount: '1',
  accountKey: 'CN_BANK ICBC new',
  confirmSimilar: false,
  ...plainApplication,
});

it('looks up number and look-alike without reading the merchant’s other payouts', async () => {
  const read = await product.services.database.asMerchant(busy.id, async (tx) => {
    const [decision] = await takePayouts(tx, [application()], { task: 'payouts.send', maxAttempts: 5 });
    expect(decision?.outcome).toBe('taken');
    const { rows } = await sql<{ read: bigint }>`
      select (idx_tup_fetch + seq_tup_read)::bigint as read from pg_stat_xact_user_tables where relname = 'payout'`.execute(
      tx.query,
    );
    return rows[0]?.read;
  });
  expect(read).toBeLessThan(BigInt(earlier / 10));
});
