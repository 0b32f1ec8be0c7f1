import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { asOwner } from '#db/owner.ts';
import { request, StopWorld } from '../../testing/stop-world.ts';
import { TestProduct } from '../../testing/test-product.ts';

let product: TestProduct;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { bank: true });
});
afterAll(async () => {
  expect(await product.violations()).toEqual([]);
  expect(await product.deadlocks()).toBe(0);
  await product.close();
});

/** Submits a batch of one row, in live or in test mode; returns its number and its merchant's ID. */
async function submit(
  world: StopWorld,
  mode: 'live' | 'test',
): Promise<{ merchantId: bigint; batchNo: string }> {
  const { testMode, payoutBatches } = product.services;
  if (mode === 'live') return { merchantId: world.merchant.id, batchNo: await world.batch() };
  const { id: merchantId, code } = await testMode.open(world.merchant.id);
  const person = { ...world.person, mode, home: { ...world.person.home, merchantId, code } };
  await testMode.addFunds(person, '500.00', request);
  const { batchNo } = await payoutBatches.apply(person, request, await world.batchBody());
  return { merchantId, batchNo };
}

/** Lists the tasks of a merchant's jobs that are due. No worker takes them here. */
function due(merchantId: bigint): Promise<string[]> {
  return asOwner(product.ownerUrl, async (client) => {
    const { rows } = await client.query<{ task: string }>(
      `select t.identifier as task from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
       where j.payload ->> 'merchantId' = $1 and j.run_at <= now()`,
      [String(merchantId)],
    );
    return rows.map(({ task }) => task);
  });
}

describe('rows of a batch that a suspension held', () => {
  it.each(['live', 'test'] as const)('become payouts once it has ended, in %s mode', async (mode) => {
    const world = await StopWorld.make(product);
    const { merchantId, batchNo } = await submit(world, mode);
    const job = { merchantId: String(merchantId), batchNo };
    const states = () =>
      world.value(sql<{ value: string[] }>`
        select array_agg(r.state) as value from payout_batch_row r join payout_batch b
          on b.merchant_id = r.merchant_id and b.id = r.batch_id where b.batch_no = ${batchNo}`);
    await world.stop('merchant');
    await world.run('payouts.batch', job);
    expect(await states()).toEqual(['waiting']);
    // It looks again in a minute, and not before.
    expect(await due(merchantId)).toEqual([]);
    await world.reactivate('merchant');
    expect(await due(world.merchant.id)).toContain('payouts.resumeBatches');
    await world.run('payouts.resumeBatches');
    expect(await due(merchantId)).toContain('payouts.batch');
    await world.run('payouts.batch', job);
    expect(await states()).toEqual(['taken']);
  });
});
