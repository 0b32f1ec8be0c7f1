import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import type { MerchantTx } from '#db/database.ts';
import { refreshStatistics } from '#db/owner.ts';
import { plainApplication } from '../../testing/plain-application.ts';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';
import { readBatchFacts } from './approval/payout-approval.sql.ts';
import { type Application, takePayouts } from './intake/payout-decisions.sql.ts';

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
    return readRows(tx);
  });
  expect(read).toBeLessThan(earlier / 10);
});

it('finds what has to be known about a batch by reading each payee once, not once a row', async () => {
  const rows = 500;
  const paid = 1500;
  const read = await product.services.database.asMerchant(busy.id, async (tx) => {
    const columns = sql`merchant_id, trade_no, out_trade_no, request_hash, currency, amount_minor, fee_minor, channel, payee,
      payee_account, account_key, source, created_by, created_at, status, batch_no, batch_line, approval_state, paid_at, sent_at,
      bank_reference`;
    const same = sql`'CN_BANK', 'Long known', '1', 'CN_BANK ICBC 1', 'console', 'user:1'`;
    await sql`
      insert into payout_batch (merchant_id, batch_no, name, channel, currency, content_hash, row_count, amount_minor, fee_minor, created_by)
      values (${busy.id}, 'batch', 'n', 'CN_BANK', 'CNY', '', ${rows}, 1, 0, 'user:1')`.execute(tx.query);
    await sql`
      insert into payout (${columns})
      select ${busy.id}::bigint, 'F' || n, 'f-' || n, ''::bytea, 'CNY', n, 0, ${same}, now() - n * interval '1 minute',
        'processed', null, null::integer, null, now(), now(), 'bank' from generate_series(1, ${paid}::integer) n
      union all select ${busy.id}::bigint, 'B' || n, 'b-' || n, '', 'CNY', n + 10000, 0, ${same}, now(), 'pending', 'batch', n, 'waiting',
        null::timestamptz, null::timestamptz, null from generate_series(1, ${rows}::integer) n`.execute(
      tx.query,
    );
    const before = await readRows(tx);
    expect(await readBatchFacts(tx, 'batch', 30)).toMatchObject({ newAccounts: rows, changedAccounts: 0 });
    return (await readRows(tx)) - before;
  });
  // The history of the payee for each row alone would be half a million.
  expect(read).toBeLessThan((rows * paid) / 3);
});

async function readRows(tx: MerchantTx): Promise<number> {
  const { rows } = await sql<{ read: string }>`
    select idx_tup_fetch + seq_tup_read as read from pg_stat_xact_user_tables where relname = 'payout'`.execute(
    tx.query,
  );
  return Number(rows[0]?.read);
}
