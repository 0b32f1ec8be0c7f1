import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { writeNotice } from '#domain/notices.sql.ts';
import { greyPng } from '../../demo/picture.ts';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';
import { until } from '../../testing/until.ts';
import type { Visitor } from '../../testing/visitor.ts';

let product: TestProduct;
let merchants = 0;
const operator = 'operator:test';
const tron = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const paymentPassword = '888888';

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
  const { withdrawalTerms, depositWallets } = product.services;
  await withdrawalTerms.setRate('CNY', '7.15', operator);
  await withdrawalTerms.setRate('USD', '1', operator);
  await depositWallets.set({ network: 'TRC20', address: tron, minimumUsdtMinor: 1_000_000n }, operator);
});
afterAll(async () => {
  expect(await product.violations()).toEqual([]);
  expect(await product.deadlocks()).toBe(0);
  await product.close();
});

/** A merchant with funds, and its administrator with a payment password. */
async function owner(at = product): Promise<{ merchant: TestMerchant; visitor: Visitor }> {
  const merchant = await at.merchant(`events${++merchants}`);
  await at.fund(merchant, '10000.00');
  const terms = { feeUsdtMinor: 0n, freePerDay: 9, minimumUsdtMinor: 1_000_000n };
  await at.services.withdrawalTerms.setTerms(merchant.id, terms, operator);
  const visitor = await at.person(merchant);
  await visitor.post('/api/user/confirm-password', { password: 'Test-pass-2026' });
  const set = { payment_password: paymentPassword, payment_password_confirmation: paymentPassword };
  await visitor.send('PUT', '/api/merchant/payment-password', set);
  return { merchant, visitor };
}

const noticesOf = async (visitor: Visitor) => (await visitor.get('/api/merchant/notices')).json.data;
const kinds = async (visitor: Visitor) =>
  (await noticesOf(visitor)).map(({ kind }: { kind: string }) => kind);
const random = () => randomBytes(32).toString('hex');

const payoutRow = (line: number) => ({
  payee: '王芳',
  payeeAccount: `12345678${1000 + line}`,
  amount: '10.00',
  bank: 'ICBC',
  bankName: '中国工商银行',
});
async function payoutOf({ program }: TestMerchant): Promise<string> {
  const order = { ...payoutRow(1), channel: 'CN_BANK', currency: 'CNY', out_trade_no: `no-${Date.now()}` };
  return (await program.post('/openapi/v1/payouts', order)).json.trade_no;
}
const reportFromBank = (reference: string, status: 'paid' | 'refused') =>
  product.services.payouts.report({
    reference,
    status,
    bankReference: 'b',
    reason: status === 'refused' ? { code: 'accountClosed', words: 'account closed' } : null,
  });

describe('notifications', () => {
  it('report a rejected payout once, with its amount', async () => {
    const { merchant, visitor } = await owner();
    const lost = await payoutOf(merchant);
    await reportFromBank(lost, 'refused');
    await reportFromBank(lost, 'refused');
    expect(await noticesOf(visitor)).toEqual([
      {
        id: expect.stringMatching(/^\d+$/),
        kind: 'payoutRejected',
        subject: lost,
        isRead: false,
        createdAt: expect.any(String),
        money: { amount: '10.00', currency: 'CNY' },
      },
    ]);
  });

  it('are not sent if the event’s transaction rolls back', async () => {
    const { merchant, visitor } = await owner();
    const no = await payoutOf(merchant);
    const fails = product.services.database.asMerchant(merchant.id, async (tx) => {
      await writeNotice(tx, { merchantId: merchant.id, kind: 'payoutRejected', subject: no, facts: {} });
      throw new Error('rolled back');
    });
    await expect(fails).rejects.toThrow('rolled back');
    expect(await noticesOf(visitor)).toEqual([]);
  });

  it('report paid and rejected withdrawals, but not approvals', async () => {
    const { visitor } = await owner();
    const { withdrawalReview: withdrawals } = product.services;
    const order = { unit: 'usdt', network: 'TRC20', address: tron, payment_password: paymentPassword };
    const apply = async (amount: string) =>
      (await visitor.post('/api/merchant/withdrawals', { ...order, amount })).json.data.trade_no;
    const [paid, rejected] = [await apply('10'), await apply('20')];
    await withdrawals.approve(paid, operator);
    expect(await noticesOf(visitor)).toEqual([]);
    await withdrawals.pay(paid, operator, random());
    await withdrawals.reject(rejected, operator, 'wrong address');
    expect(await noticesOf(visitor)).toMatchObject([
      { kind: 'withdrawalRejected', subject: rejected, money: { amount: '143.00', currency: 'CNY' } },
      { kind: 'withdrawalPaid', subject: paid, money: { amount: '71.50', currency: 'CNY' } },
    ]);
  });

  it('report each step of a top-up review, but not refused steps', async () => {
    const { visitor } = await owner();
    const { topupReview } = product.services;
    const apply = async () => {
      const screenshot = greyPng(8, 8, () => randomBytes(1)[0] ?? 0).toString('base64');
      const sent = { coin: 'USDT', amount: '100', network: 'TRC20', address: tron };
      const order = { ...sent, transactionId: random(), screenshot };
      return (await visitor.post('/api/merchant/topups', order)).json.data.trade_no;
    };
    const [paid, rejected] = [await apply(), await apply()];
    await topupReview.approve(paid, operator, 99_000_000n);
    await topupReview.credit(paid, operator);
    await topupReview.reject(rejected, operator, 'nothing arrived');
    await expect(topupReview.reject(paid, operator, 'too late')).rejects.toThrow();
    expect(await noticesOf(visitor)).toMatchObject([
      { kind: 'topupRejected', subject: rejected, money: { amount: '715.00', currency: 'CNY' } },
      { kind: 'topupPaid', subject: paid, money: { amount: '707.85', currency: 'CNY' } },
      { kind: 'topupApproved', subject: paid, money: { amount: '707.85', currency: 'CNY' } },
    ]);
  });

  /** Returns the task that notifies a person of finished exports. */
  const noticeOfExports = (merchant: TestMerchant, visitor: Visitor) => async () => {
    const userId = (await visitor.get('/api/merchant/user')).json.data.id;
    await product.services.tasks['exports.notice']?.({ merchantId: String(merchant.id), userId });
  };
  /** Moves the end of an export back by seconds. */
  const setEnded = (exportNo: string, secondsAgo: number) =>
    product.services.database.asSystem((tx) =>
      tx.query
        .updateTable('export_task')
        .set({ finished_at: new Date(Date.now() - secondsAgo * 1000) })
        .where('export_no', '=', exportNo)
        .execute(),
    );

  it('report many exports of one person at once, when the last of them has ended', async () => {
    const { merchant, visitor } = await owner();
    const sendNotice = noticeOfExports(merchant, visitor);
    const ask = { list: 'payouts', format: 'csv', language: 'en', zone: 'UTC' };
    const numbers: string[] = [];
    for (let count = 0; count < 4; count++)
      numbers.push((await visitor.post('/api/merchant/exports', ask)).json.data.export_no);
    const execute = (exportNo = '') =>
      product.services.tasks['exports.run']?.({ merchantId: String(merchant.id), exportNo });
    const [last, ...others] = numbers;
    await Promise.all(others.map(execute));
    await sendNotice();
    expect(await noticesOf(visitor)).toEqual([]);
    await execute(last);
    await Promise.all([sendNotice(), sendNotice()]);
    expect(await noticesOf(visitor)).toMatchObject([
      { kind: 'exportsFinished', subject: null, exports: { ready: 4, failed: 0 } },
    ]);
  });

  it('report finished and failed exports to their owner, but not canceled ones', async () => {
    const { merchant, visitor } = await owner();
    const colleague = await product.person(merchant, 'MERCHANT_VIEWER');
    const ask = { list: 'payouts', format: 'csv', language: 'en', zone: 'UTC' };
    const make = async () => (await visitor.post('/api/merchant/exports', ask)).json.data.export_no;
    const [done, lost, cancelled] = [await make(), await make(), await make()];
    await product.services.tasks['exports.run']?.({ merchantId: String(merchant.id), exportNo: done });
    await product.services.database.asSystem((tx) =>
      tx.query
        .updateTable('export_task')
        .set({ status: 'exporting', attempt: 4, alive_at: new Date(Date.now() - 60_000) })
        .where('export_no', '=', lost)
        .execute(),
    );
    const sendNotice = noticeOfExports(merchant, visitor);
    await visitor.post(`/api/merchant/exports/${cancelled}/cancel`);
    await setEnded(done, 301);
    await sendNotice();
    await product.services.tasks['exports.sweep']?.({});
    await sendNotice();
    await sendNotice();
    expect(await noticesOf(visitor)).toMatchObject([
      { kind: 'exportFailed', subject: lost, export: { list: 'payouts', reason: 'lost' } },
      { kind: 'exportSuccessful', subject: done, export: { list: 'payouts', reason: null } },
    ]);
    expect(await noticesOf(colleague)).toEqual([]);
  });
});

describe('a batch', () => {
  const batches = '/api/merchant/payout-batches';
  async function apply(visitor: Visitor, rows: object[]): Promise<string> {
    const order = { channel: 'CN_BANK', rows };
    const { total } = (await visitor.post(`${batches}/check`, order)).json.data;
    const more = { total, name: 'b.csv', payment_password: paymentPassword };
    return (await visitor.post(batches, { ...order, ...more })).json.data.batch_no;
  }
  /** Submits a batch and turns the rows that the funds cover into payouts. */
  async function submitAndRun(visitor: Visitor, merchantId: bigint, rows: object[]) {
    const batchNo = await apply(visitor, rows);
    const payload = { merchantId: String(merchantId), batchNo };
    await product.services.tasks['payouts.batch']?.(payload);
    const list = (await visitor.get(`/api/merchant/payouts?batch_no=${batchNo}&limit=200`)).json.data;
    const numbers: string[] = list.map(({ trade_no }: { trade_no: string }) => trade_no);
    return { batchNo, numbers, sendNotice: () => product.services.tasks['payouts.batchNotice']?.(payload) };
  }

  it('sends one notification for all failures once its payouts have ended', async () => {
    const { merchant, visitor } = await owner();
    const rows = Array.from({ length: 41 }, (_, index) => payoutRow(index));
    rows.push({ ...payoutRow(99), amount: '99999.00' });
    const { batchNo, numbers, sendNotice } = await submitAndRun(visitor, merchant.id, rows);
    expect(numbers).toHaveLength(41);
    const [last = '', ...others] = numbers;
    await Promise.all(others.map((no) => reportFromBank(no, 'refused')));
    await sendNotice?.();
    expect(await noticesOf(visitor)).toEqual([]);
    await Promise.all([reportFromBank(last, 'refused'), sendNotice?.()]);
    await sendNotice?.();
    await sendNotice?.();
    expect(await noticesOf(visitor)).toMatchObject([
      { kind: 'payoutBatchFailed', subject: batchNo, batch: { rows: 42, failed: 1, rejected: 41 } },
    ]);
  });

  it('waits an hour for its last payout; a later rejection has its own notification', async () => {
    const { merchant, visitor } = await owner();
    const { batchNo, numbers, sendNotice } = await submitAndRun(visitor, merchant.id, [
      payoutRow(1),
      payoutRow(2),
    ]);
    const [slow = '', quick = ''] = numbers;
    await reportFromBank(quick, 'refused');
    await product.services.database.asSystem((tx) =>
      tx.query
        .updateTable('payout_batch')
        .set({ finished_at: new Date(Date.now() - 3_601_000) })
        .where('batch_no', '=', batchNo)
        .execute(),
    );
    await sendNotice?.();
    expect(await noticesOf(visitor)).toMatchObject([{ batch: { rows: 2, failed: 0, rejected: 1 } }]);
    await reportFromBank(slow, 'refused');
    expect(await kinds(visitor)).toEqual(['payoutRejected', 'payoutBatchFailed']);
  });

  it('sends a notification if the bank rejects a payout, and none if all succeed', async () => {
    const busy = await TestProduct.start(inject('ownerUrl'), { bank: true, worker: true });
    const { visitor } = await owner(busy);
    await apply(visitor, [payoutRow(1), payoutRow(2)]);
    const batchNo = await apply(visitor, [{ ...payoutRow(3), amount: '5.01' }, payoutRow(4)]);
    await until(
      () =>
        busy.services.database.asSystem((tx) =>
          tx.query.selectFrom('payout_batch').select('told_at').execute(),
        ),
      (made) => made.every(({ told_at }) => told_at !== null),
      30_000,
    );
    expect(await noticesOf(visitor)).toMatchObject([
      { kind: 'payoutBatchFailed', subject: batchNo, batch: { rows: 2, failed: 0, rejected: 1 } },
    ]);
    await busy.close();
  }, 90_000);
});
