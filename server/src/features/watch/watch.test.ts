import pino from 'pino';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { asOwner } from '#db/owner.ts';
import { listLateJobs } from '#jobs/job-list.ts';
import { Worker } from '#jobs/worker.ts';
import { Metrics } from '#observability/metrics.ts';
import { bankPayout } from '../../testing/bank-payout.ts';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';
import { until } from '../../testing/until.ts';

let product: TestProduct;
let merchant: TestMerchant;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { bank: true, worker: true });
  merchant = await product.merchant('stuck');
  await product.fund(merchant, '1000.00');
});
afterAll(() => product.close());

const actor = 'operator:test';

async function payout(amount: string): Promise<string> {
  const { json } = await merchant.program.post('/openapi/v1/payouts', bankPayout(`stuck-${amount}`, amount));
  return json.trade_no;
}

const statusOf = async (tradeNo: string) =>
  (await product.services.watch.timeline(tradeNo)).at(-1)?.status ?? '';

it('queries the channel for an unreported payout immediately on the operator’s command', async () => {
  // Paid immediately, but never reported.
  const tradeNo = await payout('20.06');
  await until(
    () => statusOf(tradeNo),
    (status) => status === 'processing',
  );
  const found = await product.services.watch.unfinishedPayouts(0);
  expect(found.map((order) => [order.tradeNo, order.merchant, order.status])).toEqual([
    [tradeNo, 'stuck', 'processing'],
  ]);
  expect(await product.services.watch.unfinishedPayouts(10)).toEqual([]);
  expect(await product.services.payoutTakeUp.takeUp(tradeNo, actor)).toBe('ask');
  // Without the command, the first query comes after ten seconds.
  await until(
    () => statusOf(tradeNo),
    (status) => status === 'processed',
    5000,
  );
  await expect(product.services.payoutTakeUp.takeUp(tradeNo, actor)).rejects.toMatchObject({
    code: 'invalid_transition',
  });
  await expect(product.services.payoutTakeUp.takeUp('P0', actor)).rejects.toMatchObject({
    code: 'not_found',
  });
});

it('sends a payout whose job was lost once, on the operator’s command', async () => {
  await asOwner(product.ownerUrl, (client) =>
    client.query(`create function lose() returns trigger language plpgsql as $$ begin return null; end $$;
      create trigger lose before insert on graphile_worker._private_jobs for each row
      when (new.key like 'send:%') execute function lose()`),
  );
  const tradeNo = await payout('21.00').catch(() => undefined);
  await asOwner(product.ownerUrl, (client) =>
    client.query('drop trigger lose on graphile_worker._private_jobs; drop function lose()'),
  );
  if (tradeNo === undefined) throw new Error('the payout was not accepted');
  expect(await statusOf(tradeNo)).toBe('pending');
  expect(await product.services.payoutTakeUp.takeUp(tradeNo, actor)).toBe('send');
  await until(
    () => statusOf(tradeNo),
    (status) => status === 'processed',
  );
  const sent = (await product.services.watch.timeline(tradeNo)).filter(({ reason }) => reason === 'sent');
  expect(sent).toHaveLength(1);
  expect(await product.violations()).toEqual([]);
});

it('lists failing jobs with their last error', async () => {
  await asOwner(product.ownerUrl, (client) =>
    client.query(
      `select graphile_worker.add_job('payouts.send', '{"merchantId": "none"}', job_key => 'odd')`,
    ),
  );
  const odd = async () =>
    (await listLateJobs(product.ownerUrl, product.services.database, 5, 50)).find(({ key }) => key === 'odd')
      ?.lastError;
  expect(await until(odd, (error) => error !== undefined)).toMatch(/BigInt/);
});

it('shows a recurring job that fails at each run, until it succeeds', async () => {
  let fails = true;
  const worker = new Worker({
    ownerUrl: product.ownerUrl,
    tasks: {
      flaky: async () => {
        if (fails) throw new Error('the disk is full\nat a place');
      },
    },
    recurring: [{ task: 'flaky', everySeconds: 1 }],
    concurrency: 1,
    log: pino({ level: 'silent' }),
    metrics: new Metrics(),
  });
  await worker.start();
  const listed = async () =>
    (await listLateJobs(product.ownerUrl, product.services.database, 5, 50)).filter(
      ({ task }) => task === 'flaky',
    );
  const counted = async () => {
    const { rows } = await asOwner(product.ownerUrl, (client) =>
      client.query<{ failed: number }>('select failed from staff_own_jobs(100)'),
    );
    return rows[0]?.failed;
  };
  const failingSeconds = async () => (await product.services.watch.state()).failingSeconds;
  await until(listed, ([job]) => (job?.attempts ?? 0) >= 2, 20_000);
  expect(await listed()).toMatchObject([{ key: 'flaky', lastError: 'the disk is full' }]);
  expect(await counted()).toBe(1);
  expect(await failingSeconds()).toBeGreaterThan(0);
  fails = false;
  await until(listed, (jobs) => jobs.length === 0, 20_000);
  expect([await counted(), await failingSeconds()]).toEqual([0, 0]);
  await worker.stop();
}, 60_000);
