import pino from 'pino';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { buildApp } from '#composition/app.ts';
import { openRuntime } from '#composition/runtime.ts';
import { asOwner } from '#db/owner.ts';
import { Metrics } from '#observability/metrics.ts';
import { readConfig } from '../../config.ts';
import { testKey } from '../../testing/test-database.ts';
import { type TestMerchant, TestProduct } from '../../testing/test-product.ts';
import { until } from '../../testing/until.ts';
import { Visitor } from '../../testing/visitor.ts';

let product: TestProduct;
let merchant: TestMerchant;
let person: Visitor;

beforeAll(async () => {
  product = await TestProduct.start(inject('ownerUrl'), { bank: true });
  merchant = await product.merchant('asker');
  person = await product.person(merchant, 'MERCHANT_VIEWER');
});
afterAll(() => product.close());

const owner = (text: string, values: unknown[] = []) =>
  asOwner(product.ownerUrl, (client) => client.query(text, values));
const report = async (who = person) => (await who.get('/api/merchant/status')).json.data;
const component = async (name: string, who = person) =>
  (await report(who)).components.find((one: { component: string }) => one.component === name);
const sample = async () => product.services.tasks['status.sample']?.({});
const forgetCalls = async () => {
  await product.services.statusWatch.flush();
  await owner('delete from request_minute');
  await product.services.statusWatch.flush();
};

/** Creates orders of a merchant: some that the channel paid, and some that it refused. */
async function orders(of: TestMerchant, paid: number, refused: number): Promise<void> {
  const { collections } = product.services;
  const { id: merchantId, code, currency } = of;
  const home = { merchantId, code, name: code, currency, zone: 'UTC' };
  const channel = currency === 'VND' ? 'VN_NAPAS' : 'CN_BANK';
  for (let number = 0; number < paid + refused; number++) {
    const order = await collections.create(home, {
      out_trade_no: `${number}-${Math.random()}`,
      amount: '1000',
      currency,
      channel,
    });
    await collections.report({
      reference: order.tradeNo,
      status: number < paid ? 'paid' : 'refused',
      bankReference: 'b',
      amountMinor: order.amountMinor,
      currency,
      reason: null,
    });
  }
}

describe('the API', () => {
  it('is measured by its calls of the last hour, failed ones included', async () => {
    await forgetCalls();
    for (let call = 0; call < 24; call++) await person.get('/api/merchant/contact');
    await product.services.statusWatch.flush();
    const well = await component('api');
    expect(well.state).toBe('operational');
    expect(well.figures.share).toBe(1);
    expect(well.figures.p95Ms).toBeGreaterThan(0);

    await owner('alter table contact_way rename to contact_way_away');
    for (let call = 0; call < 8; call++) expect((await person.get('/api/merchant/contact')).status).toBe(500);
    await owner('alter table contact_way_away rename to contact_way');
    await product.services.statusWatch.flush();
    const faulty = await component('api');
    // 24 calls and the status call succeeded before.
    expect(faulty.figures.share).toBe(Math.floor((25 / 33) * 10_000) / 10_000);
    expect(faulty.state).toBe('down');
    expect((await report()).overall).toBe('down');

    await owner(`update request_minute set minute = minute - interval '6 minutes'`);
    await product.services.statusWatch.flush();
    const calm = await component('api');
    expect(calm.state).toBe('operational');
    expect(calm.figures.share).toBeLessThan(1);
    await owner(`update request_minute set minute = minute - interval '1 hour'`);
    await product.services.statusWatch.flush();
    expect((await component('api')).figures.share).toBe(1);
  });

  it('is down if no web process reports', async () => {
    await owner('delete from request_minute');
    expect((await component('api')).state).toBe('down');
    await product.services.statusWatch.flush();
    expect((await component('api')).state).toBe('operational');
  });

  it('adds up the calls of all web processes', async () => {
    const config = readConfig({
      APP_KEY: testKey,
      DEMO: '1',
      DATABASE_URL: product.ownerUrl,
      LOG_LEVEL: 'silent',
      DATA_DIR: product.dataDirectory,
    });
    const log = pino({ level: 'silent' });
    const runtime = await openRuntime(config, product.ownerUrl, undefined, log);
    const { services, feed } = runtime;
    const app = await buildApp({ config, services, feed, metrics: new Metrics(), log });
    const otherVisitor = new Visitor(await app.listen({ port: 0, host: '127.0.0.1' }));
    await forgetCalls();
    for (let call = 0; call < 3; call++) await person.get('/api/merchant/contact');
    for (let call = 0; call < 4; call++)
      expect((await otherVisitor.get('/api/csrf-cookie')).status).toBe(204);
    // Refused calls are not counted.
    for (let call = 0; call < 4; call++)
      expect((await otherVisitor.get('/api/merchant/contact')).status).toBe(401);
    await Promise.all([product.services.statusWatch.flush(), services.statusWatch.flush()]);
    const count = async () => {
      const { rows } = await owner('select sum(answered)::integer as calls from request_minute');
      return rows[0].calls;
    };
    expect(await count()).toBe(7);
    // A process writes its last counts when it shuts down.
    await otherVisitor.get('/api/csrf-cookie');
    await app.close();
    await runtime.close();
    expect(await count()).toBe(8);
  });
});

describe('jobs', () => {
  it('show how long they have waited for a worker', async () => {
    expect(await component('jobs')).toMatchObject({ state: 'operational', figures: { waitMs: 0 } });
    await merchant.program.create('waiting', { notifyUrl: 'http://127.0.0.1:1/' });
    await owner(`select graphile_worker.add_job('nobody', run_at => now() - interval '2 minutes')`);
    await owner(
      `select graphile_worker.add_job('callbacks.deliver', run_at => now() - interval '40 seconds')`,
    );
    const late = await component('jobs');
    expect(late.state).toBe('degraded');
    expect(late.figures.waitMs).toBeGreaterThanOrEqual(120_000);
    expect(late.figures.callbackWaitMs).toBeGreaterThanOrEqual(40_000);
    expect(late.figures.callbackWaitMs).toBeLessThan(120_000);
    await owner(`update graphile_worker._private_jobs set run_at = now() - interval '6 minutes'`);
    expect((await component('jobs')).state).toBe('down');
    await owner('delete from graphile_worker._private_jobs');
  });
});

describe('a channel', () => {
  it('is judged by the orders of all merchants, unless there are too few', async () => {
    const other = await product.merchant('other');
    await orders(other, 18, 1);
    await sample();
    const few = await component('CN_BANK.collection');
    expect(few).toMatchObject({ state: 'tooFew', figures: {} });

    await orders(merchant, 1, 0);
    await sample();
    const enough = await component('CN_BANK.collection');
    expect(enough.state).toBe('operational');
    // 19 of 20 were paid: too few to show their delays.
    expect(enough.figures).toEqual({ share: 0.95 });

    await orders(other, 2, 8);
    await sample();
    const worse = await component('CN_BANK.collection');
    expect(worse).toMatchObject({ state: 'degraded', figures: { share: 0.7 } });
    expect(worse.figures.medianMs).toBeGreaterThan(0);
    expect(worse.figures.p95Ms).toBeGreaterThanOrEqual(worse.figures.medianMs);
    // Sampling again does not count orders twice.
    await sample();
    expect((await component('CN_BANK.collection')).figures.share).toBe(0.7);
  });

  it('is shown only to merchants of its country, and reveals nobody’s figures', async () => {
    const abroad = await product.merchant('abroad', 'VND', 'Asia/Ho_Chi_Minh');
    const reader = await product.person(abroad);
    const seen = await report(reader);
    expect(seen.zone).toBe('Asia/Ho_Chi_Minh');
    expect(seen.components.map((one: { component: string }) => one.component)).toEqual([
      'api',
      'database',
      'jobs',
      'VN_NAPAS.collection',
      'VN_NAPAS.payout',
    ]);
    await orders(abroad, 19, 0);
    await sample();
    const few = await report(reader);
    expect(few.components[3]).toMatchObject({ state: 'tooFew', figures: {} });
    // Counts are not revealed: nineteen orders look like none.
    expect(JSON.stringify({ ...few, asOf: '', sampledAt: '', incidents: [] })).not.toMatch(/\b19\b|orders/);
  });

  it('is shown as closed when the operator has closed it', async () => {
    await owner(`update channel set collection_open = false where code = 'CN_BANK'`);
    expect((await component('CN_BANK.collection')).state).toBe('closed');
    await owner(`update channel set collection_open = true where code = 'CN_BANK'`);
    expect((await component('CN_BANK.collection')).state).toBe('degraded');
  });

  it('is down when it leaves payouts unanswered', async () => {
    await product.fund(merchant, '1000.00');
    const applied = Array.from({ length: 20 }, (_, number) =>
      merchant.program.post('/openapi/v1/payouts', {
        out_trade_no: `p${number}`,
        currency: 'CNY',
        channel: 'CN_BANK',
        amount: `${number + 1}.00`,
        payee: '王芳',
        payeeAccount: `1234567890${10 + number}`,
        bank: 'ICBC',
        bankName: 'ICBC',
      }),
    );
    const numbers = (await Promise.all(applied)).map(({ json }) => json.trade_no);
    expect(numbers.every((number) => typeof number === 'string')).toBe(true);
    // Sent, and unanswered since.
    await product.services.database.asSystem((tx) =>
      tx.query
        .updateTable('payout')
        .set({ status: 'pendingSettlement', sent_at: new Date(Date.now() - 360_000) })
        .execute(),
    );
    expect(await component('CN_BANK.payout')).toMatchObject({ state: 'down', figures: { share: 0 } });
    for (const reference of numbers) {
      await product.services.payouts.report({ reference, status: 'paid', bankReference: 'b', reason: null });
    }
    await sample();
    const paid = await component('CN_BANK.payout');
    expect(paid).toMatchObject({ state: 'operational', figures: { share: 1 } });
    expect(paid.figures.medianMs).toBeGreaterThan(300_000);
    expect(paid.figures.medianMs).toBeLessThan(500_000);
  });
});

it('is available to every signed-in user and nobody else', async () => {
  expect((await product.visitor().get('/api/merchant/status')).status).toBe(401);
  expect((await person.get('/api/merchant/status')).status).toBe(200);
});

it('is sampled by the workers every minute', async () => {
  const working = await TestProduct.start(inject('ownerUrl'), { worker: true });
  const reader = await working.person(await working.merchant('reader'));
  const { sampledAt } = await until(
    () => report(reader),
    (seen) => seen.sampledAt !== null,
  );
  expect(Date.now() - Date.parse(sampledAt)).toBeLessThan(90_000);
  await working.close();
});
