import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { describeUnless } from '../testing/describe-unless.ts';
import { fillWithOrders } from '../testing/many-orders.ts';
import type { Obstacle } from '../testing/obstacle.ts';
import { type Standby, startStandby } from '../testing/standby.ts';
import { type TestMerchant, TestProduct } from '../testing/test-product.ts';
import { until } from '../testing/until.ts';
import type { Visitor } from '../testing/visitor.ts';

const clusterFolder = inject('clusterFolder');
const obstacle: Obstacle | undefined =
  clusterFolder === undefined
    ? { kind: 'database', reason: 'the tests run on a database of your own (TEST_DATABASE_URL)' }
    : undefined;

describeUnless(obstacle, 'a read replica', () => {
  let standby: Standby;
  let product: TestProduct;
  let merchant: TestMerchant;
  let visitor: Visitor;

  beforeAll(async () => {
    standby = await startStandby(clusterFolder ?? '');
    product = await TestProduct.start(inject('ownerUrl'), {
      worker: true,
      replicaUrl: (database) => {
        const url = new URL(database);
        url.port = String(standby.port);
        return url.href;
      },
    });
    merchant = await product.merchant('replica');
    visitor = await product.person(merchant);
    await fillWithOrders(product.services.database, merchant.id, 50);
    // On a busy machine the new database takes a while to arrive.
    await standby.catchUp();
  }, 240_000);
  afterAll(async () => {
    await product?.close();
    await standby?.stop();
  });

  /** Opens a snapshot for the merchant; returns whether the replica serves it, and its number of orders. */
  const readSnapshot = () =>
    product.services.snapshots.ofMerchant(merchant.id, async (tx) => {
      const { rows } = await sql<{ replica: boolean; count: number }>`
        select pg_is_in_recovery() as replica, (select count(*)::integer from collection) as count`.execute(
        tx.query,
      );
      return rows[0];
    });
  const addOrder = (number: number) =>
    product.services.database.asSystem((tx) =>
      sql`insert into collection (merchant_id, trade_no, out_trade_no, request_hash, currency, amount_minor, cashier_token, expires_at)
        values (${merchant.id}, ${`R${number}`}, ${`R${number}`}, '', 'CNY', 100, ${`R${number}`}, now())`.execute(
        tx.query,
      ),
    );

  it('shows everything that was committed before the snapshot', async () => {
    for (let number = 1; number <= 20; number++) {
      await addOrder(number);
      expect(await readSnapshot()).toEqual({ replica: true, count: 50 + number });
    }
  });

  it('shows a merchant only its own rows', async () => {
    const other = await product.merchant('other');
    const count = await product.services.snapshots.ofMerchant(other.id, async (tx) => {
      const { rows } = await sql<{
        count: number;
      }>`select count(*)::integer as count from collection`.execute(tx.query);
      return rows[0]?.count;
    });
    expect(count).toBe(0);
  });

  it('rejects writes', async () => {
    const writing = product.services.snapshots.ofMerchant(merchant.id, (tx) =>
      sql`update collection set subject = 'changed'`.execute(tx.query),
    );
    await expect(writing).rejects.toThrow('read-only');
    expect(await readSnapshot()).toEqual({ replica: true, count: 70 });
  });

  it('serves exports and reports', async () => {
    const made = await visitor.post('/api/merchant/exports', {
      list: 'collections',
      format: 'csv',
      language: 'en',
      zone: 'UTC',
    });
    const row = await until(
      async () => (await visitor.get('/api/merchant/exports')).json.data[0],
      ({ status }) => status === 'successful' || status === 'failed',
    );
    expect(made.json.data.export_no).toBe(row.export_no);
    expect(row).toMatchObject({ status: 'successful', rows: 70 });
    const report = await visitor.get(
      '/api/merchant/daily-reports?from=2026-11-01&to=2026-11-07&offset=%2B08:00',
    );
    expect(report.status).toBe(200);
    expect(await readSnapshot()).toEqual({ replica: true, count: 70 });
  });

  it('falls back to the primary when it lags: after a short wait, then at once', async () => {
    await standby.pauseReplay(true);
    await addOrder(21);
    expect(await readSnapshot()).toEqual({ replica: false, count: 71 });
    const begunAt = performance.now();
    expect(await readSnapshot()).toEqual({ replica: false, count: 71 });
    expect(performance.now() - begunAt).toBeLessThan(1000);
    await standby.pauseReplay(false);
  });

  it('falls back to the primary when it is down', async () => {
    await standby.stop();
    expect(await readSnapshot()).toEqual({ replica: false, count: 71 });
  });
});
