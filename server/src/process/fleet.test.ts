import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningSandbox, startSandbox } from '@hengfu/sandbox/server';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { freePort } from '#db/embedded/server-process.ts';
import { EventStream } from '../testing/event-stream.ts';
import { endProcess, startProcess } from '../testing/product-process.ts';
import { ShopProgram } from '../testing/shop-program.ts';
import { sandboxSecret, testKey } from '../testing/test-database.ts';
import { type TestMerchant, TestProduct, testPassword } from '../testing/test-product.ts';
import { codeOf, earlierCodeOf } from '../testing/totp.ts';
import { until } from '../testing/until.ts';
import { Visitor } from '../testing/visitor.ts';

const email = 'merchant_admin@many.test';
const paymentPassword = '888888';
/** Payouts that each test of the workers sends. */
const sentPayouts = 60;

/** Prepares data on the shared database; its own web side is not under test. */
let setup: TestProduct;
let merchant: TestMerchant;
let bank: RunningSandbox;
let dataDir: string;
const web: { url: string; child: ChildProcess }[] = [];
const workers: { metricsUrl: string; child: ChildProcess }[] = [];

beforeAll(async () => {
  setup = await TestProduct.start(inject('ownerUrl'));
  merchant = await setup.merchant('many');
  await setup.fund(merchant, '100000.00');
  await setup.person(merchant);
  dataDir = await mkdtemp(join(tmpdir(), 'hengfu-fleet-'));
  bank = await startSandbox({
    dataDirectory: join(dataDir, 'sandbox'),
    secret: sandboxSecret,
  });
  const ports = [await freePort(0), await freePort(0)];
  const start = (part: string, port: number, metricsPort: number) =>
    startProcess({
      ...process.env,
      DATABASE_URL: setup.ownerUrl,
      APP_KEY: testKey,
      DEMO: '0',
      SANDBOX_SERVES: 'all',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'silent',
      SANDBOX_URL: bank.url,
      APP_URL: `http://127.0.0.1:${ports[0]}`,
      PROCESS: part,
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
    });
  for (const port of ports) web.push({ url: `http://127.0.0.1:${port}`, child: await start('web', port, 0) });
  for (const port of [await freePort(0), await freePort(0)])
    workers.push({ metricsUrl: `http://127.0.0.1:${port}/metrics`, child: await start('worker', 0, port) });
}, 90_000);

afterAll(async () => {
  for (const { child } of [...web, ...workers]) await endProcess(child, 'SIGKILL');
  await bank.close();
  await setup.close();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
}, 60_000);

/**
 * Opens a browser at each of the two web processes. With {@link copyCookies} they act as one behind a load
 * balancer.
 */
function browsers(): [Visitor, Visitor] {
  return [new Visitor(web[0]?.url ?? ''), new Visitor(web[1]?.url ?? '')];
}

function copyCookies(from: Visitor, to: Visitor): void {
  for (const [name, value] of from.cookies) to.cookies.set(name, value);
}

async function signedIn(who = email): Promise<[Visitor, Visitor]> {
  const [one, other] = browsers();
  expect((await one.signIn(who, testPassword)).status).toBe(200);
  copyCookies(one, other);
  return [one, other];
}

const programs = () => web.map(({ url }) => new ShopProgram(url, merchant.program.key));
const urlOf = (index: number) => web[index]?.url ?? '';

describe('two web processes', () => {
  it('share sessions, and end a session’s streams at once when it is signed out', async () => {
    const [one, other] = await signedIn();
    expect((await other.get('/api/merchant/user')).status).toBe(200);
    const stream = await EventStream.open(urlOf(1), other);
    await one.post('/api/logout');
    expect((await other.get('/api/merchant/user')).status).toBe(401);
    await stream.ended();
  });

  it('push changes to each other’s screens', async () => {
    const [, other] = await signedIn();
    const stream = await EventStream.open(urlOf(1), other);
    expect((await programs()[0]?.create('notified'))?.status).toBe(201);
    expect((await stream.next()).topics).toContain('collections');
    await stream.cancel();
  });

  it('share the count of failed sign-ins', async () => {
    const tries = browsers();
    for (const each of tries) await each.get('/api/csrf-cookie');
    const wrong = { email: 'nobody@many.test', password: 'Wrong-pass-2026' };
    const codes: number[] = [];
    for (let index = 0; index < 7; index++)
      codes.push((await tries[index % 2]?.post('/api/login', wrong))?.status ?? 0);
    expect(codes).toEqual([422, 422, 422, 422, 422, 429, 429]);
  });

  it('accept a nonce only once between them', async () => {
    const nonce = randomUUID();
    const twice = programs().map((each) =>
      each.get('/openapi/v1/collections?out_trade_no=notified', { nonce }),
    );
    expect((await Promise.all(twice)).map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  it('accept a two-factor code only once between them', async () => {
    const coded = 'coded@many.test';
    await setup.admin().createUser(merchant.id, {
      email: coded,
      name: 'C',
      password: testPassword,
      roles: ['MERCHANT_ADMIN'],
    });
    const [owner] = await signedIn(coded);
    await owner.post('/api/user/confirm-password', { password: testPassword });
    await owner.post('/api/user/two-factor-authentication', {});
    const { secretKey } = (await owner.get('/api/user/two-factor-secret-key')).json;
    const first = { code: await earlierCodeOf(secretKey) };
    expect((await owner.post('/api/user/confirmed-two-factor-authentication', first)).status).toBe(200);
    const challenged = browsers();
    for (const each of challenged)
      expect((await each.signIn(coded, testPassword)).json.two_factor).toBe(true);
    const code = codeOf(secretKey);
    const shown = challenged.map((each) => each.post('/api/two-factor-challenge', { code }));
    expect((await Promise.all(shown)).map(({ status }) => status).sort()).toEqual([204, 422]);
  });

  it('create one payout per idempotency key', async () => {
    const [one, other] = await signedIn();
    await one.post('/api/user/confirm-password', { password: testPassword });
    copyCookies(one, other);
    const set = { payment_password: paymentPassword, payment_password_confirmation: paymentPassword };
    await one.send('PUT', '/api/merchant/payment-password', set);
    const key = { 'idempotency-key': randomUUID() };
    const body = { payment_password: paymentPassword, ...payout() };
    const apply = (each: Visitor) => each.post('/api/merchant/payouts', body, key);
    const atOnce = await Promise.all([one, other, one, other].map(apply));
    const later = [await apply(other), await apply(one)];
    expect(atOnce.every(({ status }) => [201, 409].includes(status))).toBe(true);
    expect(later.map(({ status }) => status)).toEqual([201, 201]);
    const made = [...atOnce, ...later].filter(({ status }) => status === 201);
    expect(new Set(made.map(({ json }) => json.data.trade_no)).size).toBe(1);
  });

  it('apply settings that were changed at the other', async () => {
    const answers = async (name: string) =>
      Promise.all(programs().map(async (each, index) => (await each.create(`${name}-${index}`)).status));
    expect(await answers('before')).toEqual([201, 201]);
    const [one, other] = await signedIn();
    await one.post('/api/user/confirm-password', { password: testPassword });
    copyCookies(one, other);
    const path = '/api/merchant/ip-address';
    // The calls so far may have been counted by now, and are shut out.
    const closing = { addresses: '10.0.0.1', confirmClosed: true };
    expect((await one.send('PUT', path, closing)).status).toBe(200);
    expect(await answers('closed')).toEqual([403, 403]);
    expect((await other.get(path)).json.data.addresses).toEqual(['10.0.0.1']);
    expect((await other.send('PUT', path, { addresses: '127.0.0.1' })).status).toBe(200);
    expect(await answers('open')).toEqual([201, 201]);
    const keyPath = '/api/merchant/access-key/update';
    await other.send('PUT', keyPath, { isEnabled: false });
    expect(await answers('off')).toEqual([401, 401]);
    await one.send('PUT', keyPath, { isEnabled: true });
    expect(await answers('on')).toEqual([201, 201]);
  });
});

let payouts = 0;

/** Returns a payout with an amount of its own: a twin of an unfinished payout would be refused. */
function payout() {
  payouts += 1;
  return {
    channel: 'CN_BANK',
    amount: `${100 + payouts}.00`,
    payee: '王芳',
    bank: 'ICBC',
    bankName: '中国工商银行',
    branchName: '北京朝阳支行',
    payeeAccount: '6222 0212 3456 7890 128',
  };
}

/** Reads the metrics of a process. */
const metricsAt = (url: string) => fetch(url).then((response) => response.text());

/** Reads from a worker's metrics how many jobs of a task it has completed. */
async function completedBy(worker: { metricsUrl: string } | undefined, task: string): Promise<number> {
  const text = await metricsAt(worker?.metricsUrl ?? '');
  const line = new RegExp(`hengfu_job_seconds_count\\{task="${task}",outcome="done"\\} (\\d+)`);
  return Number(line.exec(text)?.[1] ?? 0);
}

describe('two workers', () => {
  const send = async (prefix: string, count: number) => {
    const statuses = await Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const body = { out_trade_no: `${prefix}-${index}`, currency: 'CNY', confirmSimilar: true };
        const program = programs()[index % 2];
        return (await program?.post('/openapi/v1/payouts', { ...body, ...payout() }))?.status;
      }),
    );
    expect(statuses).toEqual(Array(count).fill(201));
  };
  const untilFinal = (prefix: string, count: number, statuses = ['processed']) =>
    until(
      async () => {
        const found = await Promise.all(
          Array.from({ length: count }, (_, index) =>
            programs()[0]?.get(`/openapi/v1/payouts?out_trade_no=${prefix}-${index}`),
          ),
        );
        return found.filter((answer) => statuses.includes(answer?.json.status)).length;
      },
      (done) => done === count,
      90_000,
    );
  const sent = async () => Promise.all(workers.map((worker) => completedBy(worker, 'payouts.send')));

  it('share the jobs and run each of them once', async () => {
    const before = (await sent()).reduce((sum, each) => sum + each, 0);
    await send('shared', sentPayouts);
    await untilFinal('shared', sentPayouts);
    const after = await until(sent, (counts) => counts.reduce((a, b) => a + b, -before) >= sentPayouts);
    expect(after.reduce((sum, each) => sum + each, -before)).toBe(sentPayouts);
    expect(Math.min(...after)).toBeGreaterThan(0);
  }, 120_000);

  it('finish the work of a worker that is killed', async () => {
    await send('before', sentPayouts);
    await endProcess(workers[0]?.child as ChildProcess, 'SIGKILL');
    await send('after', sentPayouts);
    // The killed worker may have recorded payouts as sent before sending them. These are queried, voided and
    // rejected, never sent twice.
    await untilFinal('before', sentPayouts, ['processed', 'rejected']);
    await untilFinal('after', sentPayouts, ['processed', 'rejected']);
  }, 120_000);

  it('stop on SIGTERM and leave a ledger without violations', async () => {
    const [killed, ...others] = [...workers, ...web].map(({ child }) => child);
    expect(killed?.signalCode).toBe('SIGKILL');
    expect(await Promise.all(others.map((child) => endProcess(child, 'SIGTERM')))).toEqual([0, 0, 0]);
    expect(await setup.violations()).toEqual([]);
  });
});

describe('a process of the back office alone', () => {
  it('reports its own connections, its disk and the leader of the database, and no figures of the installation', async () => {
    const port = await freePort(0);
    const office = await startProcess({
      ...process.env,
      DATABASE_URL: setup.ownerUrl,
      APP_KEY: testKey,
      DEMO: '0',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'silent',
      APP_URL: urlOf(0),
      STAFF_URL: 'http://office.localhost',
      STAFF_PORT: '0',
      PROCESS: 'staff',
      METRICS_PORT: String(port),
    });
    const text = await metricsAt(`http://127.0.0.1:${port}/metrics`);
    await endProcess(office, 'SIGTERM');
    expect(text).toMatch(/^hengfu_database_up 1$/m);
    expect(text).toMatch(/^hengfu_pool_waiting \d+$/m);
    expect(text).toMatch(/^hengfu_build_info\{version="[^"]+"\} 1$/m);
    expect(text).toMatch(/^hengfu_data_free_bytes \d+$/m);
    expect(text).toMatch(/^hengfu_database_timeline \d+$/m);
    expect(text).not.toMatch(
      /^hengfu_(unfinished_payouts|ledger_violations|job_wait_seconds|payouts_held)\b/m,
    );
  }, 60_000);
});
