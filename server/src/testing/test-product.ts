import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { channelCatalogue } from '@hengfu/contract/channels';
import type { Currency } from '@hengfu/contract/money';
import type { Role } from '@hengfu/contract/permissions';
import { type RunningSandbox, type SandboxOptions, startSandbox } from '@hengfu/sandbox/server';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { asOwner } from '#db/owner.ts';
import { Worker } from '#jobs/worker.ts';
import { violations } from '#ledger/ledger.ts';
import { Metrics } from '#metrics.ts';
import { buildApp } from '../app.ts';
import { type Config, readConfig } from '../config.ts';
import { MerchantService } from '../features/merchants/merchants.service.ts';
import { openRuntime, type Runtime } from '../runtime.ts';
import type { Services } from '../services.ts';
import { ShopProgram } from './shop-program.ts';
import { cloneDatabase, type TestDatabase } from './test-database.ts';
import { Visitor } from './visitor.ts';

export const testKey = '0'.repeat(64);
const bankSecret = 'a secret of the test bank';
export const testPassword = 'Test-pass-2026';

export interface TestMerchant {
  id: bigint;
  code: string;
  currency: Currency;
  program: ShopProgram;
}

/** A whole product on a database of its own: web side on a port, jobs, and the sandbox bank where asked for. */
export class TestProduct {
  readonly app: FastifyInstance;
  readonly runtime: Runtime;
  readonly services: Services;
  readonly url: string;
  readonly ownerUrl: string;
  readonly dataDirectory: string;
  readonly bank: RunningSandbox | undefined;
  readonly #merchants: MerchantService;
  readonly #close: () => Promise<void>;

  private constructor(
    parts: Pick<TestProduct, 'app' | 'runtime' | 'url' | 'ownerUrl' | 'dataDirectory' | 'bank'>,
    close: () => Promise<void>,
  ) {
    this.app = parts.app;
    this.runtime = parts.runtime;
    this.services = parts.runtime.services;
    this.url = parts.url;
    this.ownerUrl = parts.ownerUrl;
    this.dataDirectory = parts.dataDirectory;
    this.bank = parts.bank;
    this.#merchants = new MerchantService(this.services.database, this.services.secrets, 'operator:test');
    this.#close = close;
  }

  static async start(
    clusterUrl: string,
    options: { bank?: boolean; worker?: boolean; env?: NodeJS.ProcessEnv } = {},
  ): Promise<TestProduct> {
    const database: TestDatabase = await cloneDatabase(clusterUrl);
    const folder = await mkdtemp(join(tmpdir(), 'hengfu-product-'));
    const config: Config = readConfig({
      APP_KEY: testKey,
      DEMO: '1',
      DATA_DIR: folder,
      DATABASE_URL: database.ownerUrl,
      LOG_LEVEL: 'silent',
      ...options.env,
    });
    const log = pino({ level: config.logLevel });
    const bank = options.bank ? await startSandbox(bankOptions(join(folder, 'sandbox'))) : undefined;
    const sandbox = bank && { url: bank.url, secret: bankSecret };
    const runtime = await openRuntime(config, database.ownerUrl, sandbox, log);
    await runtime.feed.start();
    const metrics = new Metrics();
    const { services, feed } = runtime;
    const app = await buildApp({ config, services, feed, metrics, log });
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    runtime.setAppUrl(url);
    const worker = options.worker ? startWorker(runtime, database.ownerUrl, log, metrics) : undefined;
    const product = new TestProduct(
      { app, runtime, url, ownerUrl: database.ownerUrl, dataDirectory: folder, bank },
      async () => {
        await app.close();
        await worker?.stop();
        await runtime.close();
        await bank?.close();
        await database.drop();
        await rm(folder, { recursive: true, force: true });
      },
    );
    await product.#merchants.installChannels('sandbox');
    return product;
  }

  /** A merchant that may collect in its currency, with an access key that this machine may use. */
  async merchant(
    code: string,
    currency: 'CNY' | 'VND' = 'CNY',
    zone = 'Asia/Shanghai',
  ): Promise<TestMerchant> {
    const id = await this.#merchants.create({ code, name: `Shop ${code}`, currency, zone, cutOff: '00:00' });
    const channel =
      Object.entries(channelCatalogue).find(([, entry]) => entry.currency === currency)?.[0] ?? 'CN_BANK';
    await this.#merchants.setTerms(id, {
      channel,
      collectionRatePpm: 6000,
      collectionFixedMinor: 0n,
      payoutRatePpm: 2000,
      payoutFixedMinor: 0n,
      validFrom: new Date('2020-01-01T00:00:00Z'),
    });
    const key = { id: `ak_${code}`, secret: `sk_${code}_secret` };
    await this.#merchants.addAccessKey(id, key.id, key.secret);
    await this.#merchants.setAllowedAddresses(id, ['127.0.0.1/32']);
    return { id, code, currency, program: new ShopProgram(this.url, key) };
  }

  /** Gives a merchant funds to pay out, as it would come by them: paid orders, less their fee, settled. */
  async fund(merchant: TestMerchant, amount: string): Promise<void> {
    const { services } = this;
    const { id: merchantId, code, currency } = merchant;
    const home = { merchantId, code, name: code, currency, zone: 'UTC' };
    const number = `funds-${Date.now()}-${Math.random()}`;
    const order = await services.collections.create(home, {
      ...{ out_trade_no: number, amount, currency },
      channel: currency === 'VND' ? 'VN_NAPAS' : 'CN_BANK',
    });
    await services.collections.report({
      ...{ reference: order.tradeNo, status: 'paid', bankReference: 'b', reason: null, currency },
      amountMinor: order.amountMinor,
    });
    await services.settlements.runNow(merchantId, new Date(Date.now() + 1000));
  }

  /** A person of a merchant, signed in. */
  async person(merchant: TestMerchant, role: Role = 'MERCHANT_ADMIN'): Promise<Visitor> {
    const email = `${role.toLowerCase()}@${merchant.code}.test`;
    await this.#merchants.createUser(merchant.id, {
      email,
      name: role,
      password: testPassword,
      roles: [role],
    });
    const visitor = this.visitor();
    await visitor.signIn(email, testPassword);
    return visitor;
  }

  /** Somebody's browser, not signed in. */
  visitor(): Visitor {
    return new Visitor(this.url);
  }

  admin(): MerchantService {
    return this.#merchants;
  }

  /** Every broken rule of ledger and orders. */
  violations() {
    return this.services.database.asSystem((tx) => violations(tx));
  }

  /** Transactions that PostgreSQL had to end because they waited for each other. */
  async deadlocks(): Promise<number> {
    const count = `select deadlocks from pg_stat_database where datname = current_database()`;
    const { rows } = await asOwner(this.ownerUrl, (client) => client.query<{ deadlocks: string }>(count));
    return Number(rows[0]?.deadlocks);
  }

  close(): Promise<void> {
    return this.#close();
  }
}

function startWorker(runtime: Runtime, ownerUrl: string, log: pino.Logger, metrics: Metrics): Worker {
  const { tasks, recurring } = runtime.services;
  const worker = new Worker({ ownerUrl, tasks, recurring, concurrency: 4, log, metrics });
  void worker.start();
  return worker;
}

/** A bank in a hurry. */
function bankOptions(dataDirectory: string): SandboxOptions {
  const retryDelaysMs: [number, ...number[]] = [100, 300, 1000];
  const timings = { delayedMs: 300, lateAfterMs: 200, holdMs: 300, retryDelaysMs };
  return { dataDirectory, secret: bankSecret, timings };
}
