import { join } from 'node:path';
import { startSandbox } from '@hengfu/sandbox/server';
import { asOwner } from '@hengfu/server/db/owner.ts';
import { MerchantService } from '@hengfu/server/features/merchants/merchants.service.ts';
import { fundMerchant, type KeyedMerchant, makeMerchants } from '@hengfu/server/testing/keyed-merchants.ts';
import {
  newFolder,
  openFastTestInstallation,
  type Served,
  serve,
  type TestInstallation,
} from '@hengfu/server/testing/test-installation.ts';
import pg from 'pg';
import { type People, signPeopleIn } from './actors.ts';
import { Changes, watchTables } from './changes.ts';
import { Client } from './client.ts';
import { Doors } from './doors.ts';
import { Pool } from './pool.ts';
import { loginPassword, wallet } from './samples.ts';

/** Words in a bystander's data that nobody else may ever read. */
export const bystandersWords = 'only-the-bystander-knows';
const staff = 'operator:setup';
const inAHurry = { delayedMs: 300, lateAfterMs: 200, holdMs: 300 };
/** Levels of the product's log from which on it speaks of what should not have been. */
const faultLevel = 40;

/** A product that runs, with merchants and people, and everything to see what calls do to it. */
export interface FuzzTarget {
  url: string;
  installation: TestInstallation;
  client: Client;
  people: People;
  pool: Pool;
  changes: Changes;
  doors: Doors;
  /** Whose rows nobody touches. */
  bystander: KeyedMerchant;
  /** What the process said of itself that it should not have to. */
  said: string[];
  close(): Promise<void>;
}

/** Puts it up. Two merchants are called for, the third one is not. */
export async function openFuzzTarget(): Promise<FuzzTarget> {
  const folder = await newFolder();
  const installation = await openFastTestInstallation(folder, {});
  const { services } = installation.runtime;
  const secret = services.secrets.mark('sandbox', 'secret');
  const bank = await startSandbox({ dataDirectory: join(folder, 'sandbox'), secret, timings: inAHurry });
  // A process of the web alone: what is written is written by calls.
  const env = { PROCESS: 'web', SANDBOX_URL: bank.url, METRICS_PORT: '0' };
  const served = await serve(installation.ownerUrl, folder, env);
  const said = listenTo(served);
  const client = new Client(served.url);
  const owner = new pg.Client({ connectionString: installation.ownerUrl });
  await owner.connect();
  const close = async () => {
    client.close();
    await owner.end();
    await served.stop();
    await bank.close();
    await installation.close();
  };
  try {
    installation.runtime.setAppUrl(served.url);
    const merchants = await prepare(installation);
    const [, , bystander] = merchants;
    if (!bystander) throw new Error('there are three merchants');
    const pool = new Pool();
    await fillPool(pool, installation, bystander);
    const people = await signPeopleIn(served.url, merchants);
    await watchTables(installation.ownerUrl);
    const doors = await Doors.keep(services.database);
    const changes = new Changes(owner);
    return { url: served.url, installation, client, people, pool, changes, doors, bystander, said, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Collects what the product's process complains of, and that it has ended where nobody asked it to. */
function listenTo({ process: child }: Served): string[] {
  const said: string[] = [];
  let rest = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const level = Number(/^\{"level":(\d+)/.exec(line)?.[1] ?? 0);
      // Another process may have the port of its figures; nothing else is worth a warning.
      if (level >= faultLevel && !line.includes('no metrics'))
        said.push(`the log says: ${line.slice(0, 2000)}`);
    }
  });
  child.stderr?.on('data', (chunk: Buffer) => said.push(`the process says: ${String(chunk).slice(0, 2000)}`));
  child.on('exit', (code, signal) => {
    if (code !== 0) said.push(`the process has ended (${code ?? signal})`);
  });
  return said;
}

/** Three merchants with funds, people, terms and rates, so that every call has something to do. */
async function prepare(installation: TestInstallation): Promise<KeyedMerchant[]> {
  const { services } = installation.runtime;
  const admin = new MerchantService(services.database, services.secrets, staff);
  const merchants = await makeMerchants(installation.runtime, 3);
  await services.withdrawalTerms.setRate('CNY', '7.15', staff);
  await services.withdrawalTerms.setRate('USD', '0.9995', staff);
  const least = { minimumUsdtMinor: 10_000_000n };
  await services.topupReview.setWallet({ network: 'TRC20', address: wallet, ...least }, staff);
  for (const merchant of merchants) {
    await fundMerchant(installation.runtime, merchant, '900000000.00');
    const terms = { feeUsdtMinor: 1_500_000n, freePerDay: 2, ...least };
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

/** What can be asked for from the beginning, and what of the bystander's nobody may see. */
async function fillPool(pool: Pool, installation: TestInstallation, bystander: KeyedMerchant): Promise<void> {
  const { services } = installation.runtime;
  const { id: merchantId, code } = bystander;
  const home = { merchantId, code, name: code, currency: 'CNY', zone: 'Asia/Shanghai' } as const;
  const order = await services.collections.create(home, {
    out_trade_no: bystandersWords,
    amount: '100.00',
    currency: 'CNY',
    subject: bystandersWords,
  });
  pool.keep('bystander/trade_no', order.tradeNo);
  const { rows } = await asOwnerOf(
    installation,
    `select settlement_no from settlement where merchant_id = ${merchantId}`,
  );
  for (const { settlement_no: number } of rows) pool.keep('bystander/settlement_no', String(number));
  for (const ifsc of ['HDFC0000001', 'SBIN0000300', 'hdfc0000001', 'NONE']) pool.keep('ifsc', ifsc);
}

function asOwnerOf({ ownerUrl }: TestInstallation, query: string) {
  return asOwner(ownerUrl, (client) => client.query<Record<string, unknown>>(query));
}
