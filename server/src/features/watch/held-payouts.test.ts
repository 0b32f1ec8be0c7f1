import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { Dispatcher } from '#jobs/dispatcher.ts';
import { Metrics } from '#observability/metrics.ts';
import { type Colleague, type Office, openOffice, payoutRule } from '../../testing/approving-office.ts';
import { TestProduct } from '../../testing/test-product.ts';
import { until } from '../../testing/until.ts';
import { SuspensionService } from '../suspension/suspension.service.ts';

let product: TestProduct;
let office: Office;

beforeAll(async () => {
  // No worker, so nothing is sent.
  product = await TestProduct.start(inject('ownerUrl'));
  office = await openOffice(product, 'waiting', { rules: [payoutRule('1000.00')] });
});
afterAll(() => product.close());

/** Changes one payout, as time or a worker would. */
const change = (tradeNo: string, set: ReturnType<typeof sql>) =>
  product.services.database.asSystem((tx) =>
    sql`update payout set ${set} where trade_no = ${tradeNo}`.execute(tx.query),
  );

/** Makes a payout that was created two hours ago. */
async function oldPayout(amount: string, by: Colleague): Promise<string> {
  const { json } = await by.pay(amount);
  const { trade_no: tradeNo } = json.data;
  await change(tradeNo, sql`created_at = created_at - interval '2 hours'`);
  return tradeNo;
}

/** Counts the payouts of a status that are younger than ten minutes, and those that are older than an hour. */
async function countsOf(status: string): Promise<[number, number]> {
  const found = (await product.services.watch.state()).payouts.find((each) => each.status === status);
  return [found?.underTenMinutes ?? 0, found?.overAnHour ?? 0];
}

it('counts the age of a payout from when it could be sent, and then from when it was', async () => {
  const { clerk, approvers, merchant } = office;
  const approved = await oldPayout('2000.00', clerk);
  expect([await countsOf('unapproved'), await countsOf('pending')]).toEqual([
    [0, 1],
    [0, 0],
  ]);
  expect((await approvers[0].approve(await clerk.requestOf(approved))).status).toBe(200);
  expect(await countsOf('pending')).toEqual([1, 0]);

  const held = await oldPayout('20.00', clerk);
  expect(await countsOf('pending')).toEqual([1, 1]);
  const suspension = new SuspensionService({
    database: product.services.database,
    actor: 'operator:test',
    onReactivated: product.services.onMerchantReactivated,
  });
  await suspension.suspendMerchant(merchant.id, 'a stolen laptop');
  expect(await countsOf('pending')).toEqual([0, 0]);
  await suspension.reactivateMerchant(merchant.id, 'new keys');
  expect(await countsOf('pending')).toEqual([2, 0]);

  await change(held, sql`status = 'pendingSettlement', sent_at = now()`);
  expect([await countsOf('pending'), await countsOf('pendingSettlement')]).toEqual([
    [1, 0],
    [1, 0],
  ]);
  await change(held, sql`sent_at = now() - interval '61 minutes'`);
  expect(await countsOf('pendingSettlement')).toEqual([0, 1]);
});

/** Takes the rows of batches, and sends nothing. */
function takeBatches(): Dispatcher {
  const { fairLines, database } = product.services;
  const dispatcher = new Dispatcher({
    database,
    lines: fairLines.filter(({ name }) => name === 'batches'),
    onJobsReady: product.runtime.feed.onJobsReady,
    log: pino({ level: 'silent' }),
    metrics: new Metrics(),
  });
  dispatcher.start();
  return dispatcher;
}

it('counts the age of a row of a batch from its own approval, or from that of its batch', async () => {
  const { clerk, approvers } = await openOffice(product, 'batched', { rules: [payoutRule('1000.00')] });
  const submit = async (amounts: readonly string[]): Promise<string> => {
    const rows = amounts.map((amount) => ({
      payee: '王芳',
      payeeAccount: `12345678${Number.parseInt(amount, 10)}`,
      bank: 'ICBC',
      bankName: '中国工商银行',
      amount,
    }));
    return (await clerk.payBatch(rows)).json.data.batch_no;
  };
  /** Awaits the payouts of a batch, moves them two hours back, and approves what waits. */
  const approve = async (batchNo: string, subjectOf: (tradeNo: string) => string) => {
    await until(
      () => clerk.batch(batchNo),
      ({ finishedAt }) => finishedAt !== null,
    );
    const payouts = await clerk.payoutsOf(batchNo);
    for (const { trade_no } of payouts)
      await change(trade_no, sql`created_at = created_at - interval '2 hours'`);
    const requestNo = await clerk.requestOf(subjectOf(payouts[0]?.trade_no ?? ''));
    expect((await approvers[0].approve(requestNo)).status).toBe(200);
    await until(
      () => clerk.payoutsOf(batchNo),
      (found) => found.every(({ approvalState }) => approvalState === 'approved'),
    );
  };
  // Alone, neither needs an approval. Together they do, so the row, which comes second, has a request of its own.
  const alone = await submit(['600.00']);
  expect((await clerk.pay('700.00')).json.data.approvalState).toBeNull();
  const [young, old] = await countsOf('pending');
  const batches = takeBatches();
  await approve(alone, (tradeNo) => tradeNo);
  expect((await clerk.batch(alone)).approvalState).toBeNull();
  expect(await countsOf('pending')).toEqual([young + 1, old]);
  const whole = await submit(['1500.00', '1600.00']);
  await approve(whole, () => whole);
  expect((await clerk.batch(whole)).approvalState).toBe('approved');
  expect(await countsOf('pending')).toEqual([young + 3, old]);
  await batches.stop();
});
