import type { ChildProcess } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { type DemoOrder, insertOrders } from '../../demo/seed.sql.ts';
import { endProcess, startProcess } from '../../testing/product-process.ts';
import { testKey } from '../../testing/test-database.ts';
import { TestProduct } from '../../testing/test-product.ts';
import { until } from '../../testing/until.ts';

const rows = 60_000;
let product: TestProduct;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'));
});
afterAll(() => product.close());

/** Starts a worker in a process of its own, on the product's database. */
const startWorker = (): Promise<ChildProcess> =>
  startProcess({
    ...process.env,
    DATABASE_URL: product.ownerUrl,
    DATA_DIR: product.dataDirectory,
    APP_KEY: testKey,
    PROCESS: 'worker',
    PORT: '0',
    METRICS_PORT: '0',
    DEMO: '0',
    LOG_LEVEL: 'silent',
  });

it('another worker completes an export within a minute after the first one is killed', async () => {
  const merchant = await product.merchant('killed');
  const visitor = await product.person(merchant);
  const createdAt = Date.now() - 86_400_000;
  const orders = Array.from({ length: rows }, (_, index): DemoOrder => {
    const common = { amountMinor: 100n, subject: 'x', paidAt: null, refundedAt: null, refused: null };
    return { ...common, outTradeNo: `k-${index}`, status: 'closed', createdAt: createdAt - index };
  });
  await product.services.database.asSystemFor(merchant.id, (tx) =>
    insertOrders(tx, orders, { currency: 'CNY', channel: 'CN_BANK' }),
  );
  const made = await visitor.post('/api/merchant/exports', {
    list: 'collections',
    format: 'xlsx',
    language: 'en',
    zone: 'UTC',
  });
  const exportNo = made.json.data.export_no;
  const readExport = async () => (await visitor.get('/api/merchant/exports')).json.data[0];
  const first = await startWorker();
  await until(readExport, ({ status }) => status === 'exporting', 20_000);
  await endProcess(first, 'SIGKILL');
  expect((await readExport()).status).toBe('exporting');
  const killedAt = performance.now();
  const second = await startWorker();
  const done = await until(
    readExport,
    ({ status }) => status !== 'exporting' && status !== 'waiting',
    60_000,
  );
  expect(performance.now() - killedAt).toBeLessThan(60_000);
  expect(done).toMatchObject({ status: 'successful', rows });
  await endProcess(second, 'SIGTERM');
  const files = await readdir(join(product.dataDirectory, 'exports'));
  expect(files).toEqual([`${exportNo}-2.xlsx`]);
}, 120_000);
