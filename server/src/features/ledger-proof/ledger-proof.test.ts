import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { asOwner } from '#db/owner.ts';
import { Worker } from '#jobs/worker.ts';
import { Metrics } from '#observability/metrics.ts';
import { TestProduct } from '../../testing/test-product.ts';
import { until } from '../../testing/until.ts';
import { proofRecurring } from './ledger-proof.service.ts';

let product: TestProduct;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
});
afterAll(() => product.close());

/** Has a rollup count more orders than there are. */
const miscount = (more: number) =>
  product.services.database.asSystem((tx) =>
    sql`update order_rollup set orders = orders + ${more} where axis = 'paid' and settlement_status = 'settled'`.execute(
      tx.query,
    ),
  );
const dayPasses = () =>
  asOwner(product.ownerUrl, (client) =>
    client.query("update ledger_proof set ended_at = ended_at - interval '1 day'"),
  );
const prove = () => product.services.tasks['ledger.prove']?.({});
const counts = async () =>
  (await product.services.proof.list(10)).map(({ violationCount }) => violationCount);

it('runs once a day and reports a rollup that is not the sum of its orders', async () => {
  const merchant = await product.merchant('proof');
  await product.fund(merchant, '10.00');
  await prove();
  await prove();
  expect(await counts()).toEqual([0]);
  await miscount(4);
  await dayPasses();
  await expect(prove()).rejects.toThrow('rollup_is_sum_of_orders');
  expect(await counts()).toEqual([1, 0]);
  await miscount(-4);
});

it('fails at each run until a later proof finds nothing', async () => {
  const failures = () =>
    asOwner(product.ownerUrl, async (client) => {
      // Without the wait for the retry, or for the next hour.
      await client.query(
        "update graphile_worker._private_jobs set run_at = now() where key = 'ledger.prove' and locked_at is null",
      );
      const { rows } = await client.query<{ failures: number; error: string }>(
        'select failures, last_error as error from failing_task',
      );
      return rows[0] ?? { failures: 0, error: '' };
    });
  const untilFailures = (isEnough: (count: number) => boolean) =>
    until(failures, (found) => isEnough(found.failures), 20_000);
  await miscount(4);
  await dayPasses();
  const before = await counts();
  const worker = new Worker({
    ownerUrl: product.ownerUrl,
    tasks: product.services.proof.tasks,
    recurring: proofRecurring,
    concurrency: 1,
    log: pino({ level: 'silent' }),
    metrics: new Metrics(),
  });
  await worker.start();
  expect((await untilFailures((count) => count >= 3)).error).toContain(
    '1 ledger violations, first: rollup_is_',
  );
  // The retries took the result of the first run.
  expect(await counts()).toEqual([1, ...before]);
  await miscount(-4);
  await dayPasses();
  await untilFailures((count) => count === 0);
  expect(await counts()).toEqual([0, 1, ...before]);
  await worker.stop();
}, 60_000);
