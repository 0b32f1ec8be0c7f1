import { join } from 'node:path';
import { startSandbox } from '@hengfu/sandbox/server';
import { queueCallback } from '@hengfu/server/callbacks/callbacks.ts';
import { freshSecret } from '@hengfu/server/features/callbacks/callback-endpoints.service.ts';
import { insertEndpoint } from '@hengfu/server/features/callbacks/callback-endpoints.sql.ts';
import { MerchantService } from '@hengfu/server/features/merchants/merchants.service.ts';
import {
  fundMerchant,
  type KeyedMerchant,
  makeMerchants,
  payNewOrder,
} from '@hengfu/server/testing/keyed-merchants.ts';
import {
  newFolder,
  openFastTestInstallation,
  type Served,
  serve,
  type TestInstallation,
} from '@hengfu/server/testing/test-installation.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { type People, signPeopleIn, signStaffIn } from './actors.ts';
import { Changes, watchTables } from './changes.ts';
import { Client } from './client.ts';
import type { Door } from './document.ts';
import { AccessSnapshot } from './doors.ts';
import { addMembers, OfficeSnapshot, officeEnv } from './office.ts';
import { Pool } from './pool.ts';
import { loginPassword, wallet } from './samples.ts';

/** A marker in the bystander's data that must never appear in a reply to anybody else. */
export const bystanderMarker = 'only-the-bystander-knows';
const staff = 'operator:setup';
const timings = { delayedMs: 300, lateAfterMs: 200, holdMs: 300 };
const ordersPaidBefore = 4;
const callbacksBefore = 3;
/** Log level from which a line counts as a fault: warnings and errors (pino). */
const faultLevel = 40;

/** A running product with merchants and users, and the means to observe what calls do to it. */
export interface FuzzTarget {
  url: string;
  staffUrl: string;
  installation: TestInstallation;
  clients: Readonly<Record<Door, Client>>;
  people: People;
  pool: Pool;
  changes: Changes;
  access: AccessSnapshot;
  office: OfficeSnapshot;
  /** A merchant that sends no calls, so that none may read or change its rows. */
  bystander: KeyedMerchant;
  /** Warnings and errors that the process logged, and an unexpected exit. */
  processFaults: string[];
  close(): Promise<void>;
}

/** Starts a product with three merchants: two of them send calls, the third is the bystander. */
export async function openFuzzTarget(): Promise<FuzzTarget> {
  const folder = await newFolder();
  const installation = await openFastTestInstallation(folder, {});
  const { services } = installation.runtime;
  const secret = services.secrets.hmac('sandbox', 'secret');
  const bank = await startSandbox({ dataDirectory: join(folder, 'sandbox'), secret, timings });
  // A web process alone, so that only calls write rows.
  const env = { PROCESS: 'web', SANDBOX_URL: bank.url, METRICS_PORT: '0' };
  const served = await serve(installation.ownerUrl, folder, env);
  const members = await addMembers(installation);
  const servedOffice = await serve(installation.ownerUrl, folder, officeEnv);
  const processFaults: string[] = [];
  for (const each of [served, servedOffice]) collectProcessFaults(each, processFaults);
  const clients = { merchants: new Client(served.url), staff: new Client(servedOffice.url) };
  const owner = new pg.Client({ connectionString: installation.ownerUrl });
  await owner.connect();
  const close = async () => {
    for (const client of Object.values(clients)) client.close();
    await owner.end();
    await Promise.all([served.stop(), servedOffice.stop()]);
    await bank.close();
    await installation.close();
  };
  try {
    installation.runtime.setAppUrl(served.url);
    const merchants = await prepare(installation);
    const [, , bystander] = merchants;
    if (!bystander) throw new Error('three merchants are needed');
    const pool = new Pool();
    pool.keep('supportPassword', members.SUPPORT.password);
    await fillPool(pool, installation, bystander);
    for (const caller of merchants.slice(0, 2)) {
      await payOrders(pool, installation, caller);
      await addCallbacks(pool, installation, caller);
    }
    const people = {
      ...(await signPeopleIn(served.url, merchants)),
      ...(await signStaffIn(servedOffice.url, members)),
    };
    await watchTables(installation.ownerUrl);
    const access = await AccessSnapshot.take(services.database);
    const office = await OfficeSnapshot.take(owner);
    const changes = new Changes(owner);
    return {
      url: served.url,
      staffUrl: servedOffice.url,
      installation,
      clients,
      people,
      pool,
      changes,
      access,
      office,
      bystander,
      processFaults,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Collects warnings, errors and stderr output of a process of the product, and an exit with a failure. */
function collectProcessFaults({ process: child }: Served, faults: string[]): void {
  let rest = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const level = Number(/^\{"level":(\d+)/.exec(line)?.[1] ?? 0);
      // Another process may use the metrics port; any other warning is a fault.
      if (level >= faultLevel && !line.includes('no metrics')) faults.push(`log: ${line.slice(0, 2000)}`);
    }
  });
  child.stderr?.on('data', (chunk: Buffer) => faults.push(`stderr: ${String(chunk).slice(0, 2000)}`));
  child.on('exit', (code, signal) => {
    if (code !== 0) faults.push(`the process has exited (${code ?? signal})`);
  });
}

/** Sets up three merchants with funds, users, terms and rates, so that all operations can succeed. */
async function prepare(installation: TestInstallation): Promise<KeyedMerchant[]> {
  const { services } = installation.runtime;
  const admin = new MerchantService(services.database, services.secrets, staff);
  const merchants = await makeMerchants(installation.runtime, 3);
  await services.withdrawalTerms.setRate('CNY', '7.15', staff);
  await services.withdrawalTerms.setRate('USD', '0.9995', staff);
  const minimumUsdtMinor = 10_000_000n;
  await services.depositWallets.set({ network: 'TRC20', address: wallet, minimumUsdtMinor }, staff);
  for (const merchant of merchants) {
    await fundMerchant(installation.runtime, merchant, '900000000.00');
    const terms = { feeUsdtMinor: 1_500_000n, freePerDay: 2, minimumUsdtMinor };
    await services.withdrawalTerms.setTerms(merchant.id, terms, staff);
    for (const [name, role] of [['admin', 'MERCHANT_ADMIN'] as const, ['viewer', 'MERCHANT_VIEWER'] as const])
      await admin.createUser(merchant.id, {
        email: `${name}@${merchant.code}.test`,
        name,
        password: loginPassword,
        roles: [role],
      });
  }
  return merchants;
}

/** Fills the pool with IFSC codes and with identifiers of the bystander, which no caller may see. */
async function fillPool(pool: Pool, installation: TestInstallation, bystander: KeyedMerchant): Promise<void> {
  const { services } = installation.runtime;
  const { id: merchantId, code } = bystander;
  const home = { merchantId, code, name: code, currency: 'CNY', zone: 'Asia/Shanghai' } as const;
  const order = await services.collections.create(home, {
    out_trade_no: bystanderMarker,
    amount: '100.00',
    currency: 'CNY',
    subject: bystanderMarker,
  });
  pool.keep('bystander/trade_no', order.tradeNo);
  pool.keep('channel', 'CN_BANK');
  pool.keep('day', new Date(Date.now() - 86_400_000).toISOString().slice(0, 10));
  for (const ifsc of ['HDFC0000001', 'SBIN0000300', 'hdfc0000001', 'NONE']) pool.keep('ifsc', ifsc);
}

/** Gives a merchant collections that can be refunded and have receipts; keeps their numbers in the pool. */
async function payOrders(pool: Pool, installation: TestInstallation, merchant: KeyedMerchant): Promise<void> {
  for (let number = 1; number <= ordersPaidBefore; number++) {
    const order = await payNewOrder(installation.runtime, merchant, '500.00');
    for (const list of ['paid', '/openapi/v1/collections', '/api/merchant/collections']) {
      pool.keep(`${list}/trade_no`, order.tradeNo);
      pool.keep(`${list}/out_trade_no`, order.outTradeNo);
    }
  }
}

/** Gives a merchant callbacks, an endpoint, and a callback URL of its key. No worker sends anything. */
async function addCallbacks(pool: Pool, { runtime }: TestInstallation, { id }: KeyedMerchant): Promise<void> {
  const { database, secrets } = runtime.services;
  const url = 'http://127.0.0.1:9/hook';
  const fields = { url, description: 'Books', events: null };
  await database.asSystemFor(id, async (tx) => {
    await sql`update access_key set callback_url = ${url} where merchant_id = ${id}`.execute(tx.query);
    const secret = secrets.encrypt(freshSecret());
    for (let number = 0; number < callbacksBefore; number++) {
      const endpointId = await insertEndpoint(tx, fields, { secret, createdBy: staff });
      pool.keep('/api/merchant/callback-endpoints/id', String(endpointId));
      const subjectNo = `P${number}`;
      const event = 'payout.processed';
      await queueCallback(tx, { subjectKind: 'payout', subjectNo, event, url, body: '{}' });
    }
  });
}
