import { quotas } from '@hengfu/contract/quotas';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { asOwner } from '#db/owner.ts';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';
import { until } from '../../testing/until.ts';
import type { Visitor } from '../../testing/visitor.ts';

let product: TestProduct;
let merchants = 0;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { bank: true, worker: true });
});
afterAll(async () => {
  expect(await product.violations()).toEqual([]);
  expect(await product.deadlocks()).toBe(0);
  await product.close();
});

const batches = '/api/merchant/payout-batches';
const paymentPassword = '888888';
const account = (index: number) => `12345678${String(index).padStart(4, '0')}`;
const row = (index: number, more: object = {}) => ({
  payee: '王芳',
  payeeAccount: account(index),
  bank: 'ICBC',
  bankName: '中国工商银行',
  amount: '100.00',
  ...more,
});
const rowsOf = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, index) => row(index, more));
const check = async (visitor: Visitor, rows: object[]) =>
  (await visitor.post(`${batches}/check`, { channel: 'CN_BANK', rows })).json.data;

/** Submits rows with the total that the check returned. */
async function apply(visitor: Visitor, rows: object[], more: object = {}, key?: string) {
  const { total } = await check(visitor, rows);
  const body = { channel: 'CN_BANK', name: 'salaries.csv', rows, total, payment_password: paymentPassword };
  return visitor.post(batches, { ...body, ...more }, key === undefined ? {} : { 'idempotency-key': key });
}
const finished = (visitor: Visitor, batchNo: string) =>
  until(
    async () => (await visitor.get(`${batches}/${batchNo}`)).json.data,
    ({ finishedAt }) => finishedAt !== null,
    30_000,
  );

/** A merchant with funds (less 0.6 % of them), and its administrator with a payment password. */
async function payer(
  funds = '10000.00',
  at = product,
): Promise<{ merchant: TestMerchant; visitor: Visitor }> {
  const merchant = await at.merchant(`batch${++merchants}`);
  await at.fund(merchant, funds);
  const visitor = await at.person(merchant);
  await visitor.post('/api/user/confirm-password', { password: 'Test-pass-2026' });
  const set = { payment_password: paymentPassword, payment_password_confirmation: paymentPassword };
  await visitor.send('PUT', '/api/merchant/payment-password', set);
  return { merchant, visitor };
}

const endBackends = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and usename = session_user and pid <> pg_backend_pid()`;
/** Kills all database connections of the product and its jobs. */
async function killConnections(): Promise<void> {
  await asOwner(product.ownerUrl, (client) => client.query(endBackends));
  await product.services.database.asSystem((tx) => sql.raw(endBackends).execute(tx.query)).catch(() => {});
}

describe('a check', () => {
  it('returns totals, the number of rows that the funds cover, and the shortfall', async () => {
    const { visitor } = await payer('1000.00');
    await product.services.withdrawalTerms.setRate('CNY', '7.10', 'operator:test');
    // Funds are 994.00; a row costs 100.20.
    const found = await check(visitor, rowsOf(12));
    expect(found).toMatchObject({
      currency: 'CNY',
      count: 12,
      coveredCount: 9,
      amount: '1200.00',
      fee: '2.40',
      total: '1202.40',
      available: '994.00',
      short: '208.40',
      // 208.40 / 7.10, rounded up to the next cent.
      shortUsdt: '29.360000',
    });
    expect(found.newAccounts).toHaveLength(12);
    // A row that is too large does not block smaller ones.
    const some = [row(1, { amount: '900.00' }), row(2), row(3, { amount: '90.00' })];
    expect((await check(visitor, some)).coveredCount).toBe(2);
  });

  it('reports all errors of all rows', async () => {
    const { visitor } = await payer();
    const wrong = { payee: '1', payeeAccount: '12', amount: '1.234', bank: 'NONE' };
    const { faults } = await check(visitor, [row(1), row(2, wrong), row(3, { payee: '', amount: '' })]);
    const found = faults.map(({ line, field }: { line: number; field: string }) => `${line} ${field}`);
    expect(found.sort()).toEqual(['2 amount', '2 bank', '2 payee', '2 payeeAccount', '3 amount', '3 payee']);
  });

  it('finds rows that repeat another row or an earlier payout, and order numbers already in use', async () => {
    const { merchant, visitor } = await payer();
    const earlier = { ...row(1), channel: 'CN_BANK', currency: 'CNY', out_trade_no: 'used' };
    const { json } = await merchant.program.post('/openapi/v1/payouts', earlier);
    const spaced = { payeeAccount: '1234 5678 0002' };
    const rows = [row(1), row(2), row(2, spaced), row(4, { out_trade_no: 'used' })];
    const { similar, faults } = await check(visitor, rows);
    expect(similar).toEqual([
      { line: 1, trade_no: json.trade_no, earlierLine: null, isUnknown: expect.any(Boolean) },
      { line: 3, trade_no: null, earlierLine: 2, isUnknown: false },
    ]);
    expect(faults).toEqual([{ line: 4, field: 'out_trade_no', message: 'errors.out_trade_no_used' }]);
  });

  it('handles ten thousand rows in reasonable time, and refuses one more', async () => {
    const { visitor } = await payer();
    const startedAt = performance.now();
    expect((await check(visitor, rowsOf(10_000))).count).toBe(10_000);
    expect(performance.now() - startedAt).toBeLessThan(15_000);
    const more = await visitor.post(`${batches}/check`, { channel: 'CN_BANK', rows: rowsOf(10_001) });
    expect([more.status, Object.keys(more.json.errors)]).toEqual([422, ['rows']]);
    expect((await visitor.post(`${batches}/check`, { channel: 'CN_BANK', rows: [] })).status).toBe(422);
    expect((await visitor.post(`${batches}/check`, { channel: 'VN_NAPAS', rows: [{}] })).json.code).toBe(
      'channel_closed',
    );
  });
});

describe('a batch', () => {
  it('creates a payout from each row that the funds cover; failed rows do not block others', async () => {
    const { visitor } = await payer('1000.00');
    const rows = rowsOf(50);
    rows.splice(3, 1, row(3, { amount: '2000.00' }));
    const made = await apply(visitor, rows);
    expect(made.status).toBe(201);
    expect(made.json.data).toMatchObject({ count: 50, amount: '6900.00', name: 'salaries.csv' });
    const batchNo = made.json.data.batch_no;
    const done = await finished(visitor, batchNo);
    expect(done).toMatchObject({ taken: 9, failed: 41, waiting: 0, createdBy: 'MERCHANT_ADMIN' });
    const failed = (await visitor.get(`${batches}/${batchNo}/failed`)).json.data.rows;
    expect(failed).toHaveLength(41);
    expect(failed[0]).toMatchObject({ line: 4, reason: 'insufficient_funds', row: rows[3] });
    const list = (await visitor.get(`/api/merchant/payouts?batch_no=${batchNo}`)).json;
    expect(list.total.count).toBe(9);
    await until(
      async () => (await visitor.get(`${batches}/${batchNo}`)).json.data.payouts,
      ({ processed = 0, rejected = 0 }) => processed + rejected === 9,
      30_000,
    );
    const { trade_no } = list.data[0];
    expect((await visitor.get(`/api/merchant/payouts/${trade_no}`)).json.data.batch_no).toBe(batchNo);
    expect((await visitor.get(batches)).json.data.map((each: { batch_no: string }) => each.batch_no)).toEqual(
      [batchNo],
    );
  }, 60_000);

  it('is recognized as a repeat of the same rows, even under another name', async () => {
    const { visitor } = await payer();
    const first = (await apply(visitor, rowsOf(2))).json.data.batch_no;
    const again = await apply(visitor, rowsOf(2, { remark: ' ' }), { name: 'again.csv' });
    expect([again.status, again.json.code]).toEqual([409, 'batch_repeated']);
    expect(again.json.message).toContain(first);
    expect((await check(visitor, rowsOf(2))).repeated.batch_no).toBe(first);
    await finished(visitor, first);
    const confirmed = await apply(visitor, rowsOf(2), { confirmRepeated: true });
    expect(confirmed.status).toBe(201);
    // Confirming the batch does not confirm its rows.
    expect(await finished(visitor, confirmed.json.data.batch_no)).toMatchObject({ taken: 0, failed: 2 });
    const all = await apply(visitor, rowsOf(2), { confirmRepeated: true, confirmed: [1, 2] });
    expect(await finished(visitor, all.json.data.batch_no)).toMatchObject({ taken: 2, failed: 0 });
  }, 60_000);

  it('is made once, even concurrently, with the same idempotency key or without one', async () => {
    const { visitor } = await payer();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => apply(visitor, rowsOf(3, { amount: '5.00' }), {}, 'key')),
    );
    const made = answers.filter(({ status }) => status === 201);
    expect(new Set(made.map(({ json }) => json.data.batch_no)).size).toBe(1);
    const twins = await Promise.all(
      Array.from({ length: 4 }, () => apply(visitor, rowsOf(3, { amount: '6.00' }))),
    );
    expect(twins.filter(({ status }) => status === 201)).toHaveLength(1);
    const reused = await apply(visitor, rowsOf(3, { amount: '7.00' }), {}, 'key');
    expect([reused.status, reused.json.code]).toEqual([422, 'idempotency_key_reused']);
  });

  it('is refused with an invalid row, a wrong password, or an outdated total', async () => {
    const { visitor } = await payer();
    const wrong = await apply(visitor, [row(1), row(2, { amount: '0' })]);
    expect([wrong.status, wrong.json.errors.rows[0]]).toEqual([
      422,
      expect.stringMatching(/^Row 2: .*amount/i),
    ]);
    const outdated = await apply(visitor, rowsOf(2), { total: '200.00' });
    expect([outdated.status, outdated.json.code]).toEqual([409, 'terms_changed']);
    const stranger = await apply(visitor, rowsOf(2), { payment_password: '999999' });
    expect([stranger.status, Object.keys(stranger.json.errors)]).toEqual([422, ['payment_password']]);
    expect((await visitor.get(batches)).json.data).toEqual([]);
  });

  it('waits while its merchant is suspended', async () => {
    const quiet = await TestProduct.start(inject('ownerUrl'));
    const { merchant, visitor } = await payer('1000.00', quiet);
    const batchNo = (await apply(visitor, rowsOf(2))).json.data.batch_no;
    const suspend = (at: Date | null) =>
      quiet.services.database.asSystem((tx) =>
        tx.query.updateTable('merchant').set({ suspended_at: at }).execute(),
      );
    const run = () => quiet.services.tasks['payouts.batch']?.({ merchantId: String(merchant.id), batchNo });
    await suspend(new Date());
    await run();
    await suspend(null);
    expect((await visitor.get(`${batches}/${batchNo}`)).json.data.waiting).toBe(2);
    await run();
    expect((await visitor.get(`${batches}/${batchNo}`)).json.data).toMatchObject({ waiting: 0, taken: 2 });
    await quiet.close();
  });

  it('takes each row once, despite concurrent workers and killed connections', async () => {
    const { merchant, visitor } = await payer('100000.00');
    const made = await apply(visitor, rowsOf(300, { amount: '1.00' }));
    const batchNo = made.json.data.batch_no;
    const run = product.services.tasks['payouts.batch'];
    const workers = Array.from({ length: 4 }, async () => {
      for (let round = 0; round < 20; round++)
        // A run that loses its connection fails, and the queue retries it.
        await run?.({ merchantId: String(merchant.id), batchNo }).catch(() => undefined);
    });
    const killer = (async () => {
      for (let round = 0; round < 10; round++) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        await killConnections();
      }
    })();
    await Promise.all([...workers, killer]);
    const done = await finished(visitor, batchNo);
    expect(done).toMatchObject({ taken: 300, failed: 0 });
    expect((await visitor.get(`/api/merchant/payouts?batch_no=${batchNo}`)).json).toMatchObject({
      total: { count: 300, exact: true },
      sum: { currency: 'CNY', amount: '300.00' },
    });
  }, 120_000);

  it('is refused while the merchant has the maximum number of unfinished batches', async () => {
    const quiet = await TestProduct.start(inject('ownerUrl'));
    const { merchant, visitor } = await payer('1000.00', quiet);
    const fill = (count: number) =>
      quiet.services.database.asSystem((tx) =>
        sql`insert into payout_batch (merchant_id, batch_no, name, channel, currency, content_hash, row_count, amount_minor,
            fee_minor, created_by)
          select ${merchant.id}, new_trade_no('B', ${merchant.id}, now()), 'x', 'CN_BANK', 'CNY', decode(md5(n::text), 'hex'), 1, 1, 0, 'x'
          from generate_series(1, ${count}::integer) n`.execute(tx.query),
      );
    await fill(quotas.batchesOfMerchant - 1);
    const atOnce = await Promise.all([1, 2, 3].map((each) => apply(visitor, rowsOf(each))));
    expect(atOnce.map(({ status }) => status).toSorted()).toEqual([201, 429, 429]);
    const [refused] = atOnce.filter(({ status }) => status === 429);
    expect(refused?.json).toMatchObject({ code: 'quota_reached', details: { quota: 'batchesOfMerchant' } });
    await quiet.close();
  });
});
