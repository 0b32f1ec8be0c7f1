import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Currency } from '@hengfu/contract/money';
import type { RoleCode } from '@hengfu/contract/permissions';
import { type RunningSandbox, type SandboxOptions, startSandbox } from '@hengfu/sandbox/server';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { inject } from 'vitest';
import { buildApp } from '#composition/app.ts';
import { openRuntime, type Runtime } from '#composition/runtime.ts';
import { sandboxOf } from '#composition/sandbox-location.ts';
import type { Services } from '#composition/services.ts';
import { makeMonths } from '#db/months.ts';
import { asOwner } from '#db/owner.ts';
import { onePlacement } from '#db/placement.ts';
import type { SignInLimits } from '#http/sign-in-gate.ts';
import { violations } from '#ledger/ledger.ts';
import { Metrics } from '#observability/metrics.ts';
import { within } from '#threads/within.ts';
import { type Config, readConfig } from '../config.ts';
import { MerchantService } from '../features/merchants/merchants.service.ts';
import { unnamedFields } from './audited-fields.ts';
import { fundMerchant, makeMerchant } from './keyed-merchants.ts';
import type { Pooler } from './pgbouncer.ts';
import { pretendedPlacement, takeCrossings, watchPlacements } from './placements.ts';
import { ShopProgram } from './shop-program.ts';
import { wideSignInLimits } from './sign-in-limits.ts';
import { cloneDatabase, type TestDatabase, testKey } from './test-database.ts';
import { Visitor } from './visitor.ts';
import { startWorkers } from './workers.ts';

watchPlacements();

export const bankSecret = 'a secret of the test bank';
export const testPassword = 'Test-pass-2026';

export interface TestMerchant {
  id: bigint;
  code: string;
  currency: Currency;
  program: ShopProgram;
}

interface TestProductOptions {
  bank?: boolean;
  worker?: boolean;
  env?: NodeJS.ProcessEnv;
  /** Silent by default. */
  log?: pino.Logger;
  metrics?: Metrics;
  pooler?: Pooler;
  /** All merchants in one placement; by default there are two, and no statement may involve both. */
  hasOnePlacement?: boolean;
  /**
   * Wide by default: a test of something else would meet the product's own limits on a machine that signs its people in faster
   * than the limits allow.
   */
  signInLimits?: SignInLimits;
  /** Maps the URL of a database to its URL at a replica. */
  replicaUrl?: (databaseUrl: string) => string;
  /** Maps the URL of a database to one that leads to it through a network, and not through a pooler. */
  networkUrl?: (databaseUrl: string) => string;
}

/** Less than the time of a hook, so that the report names the step that hangs. */
const closeStepMs = 40_000;

/** Waits for a step of the end. Throws with its name if it takes too long. */
const ended = <T>(step: string, work: Promise<T> | undefined): Promise<T | undefined> =>
  within(closeStepMs, Promise.resolve(work), `${step}: not within ${closeStepMs / 1000} s`);

/** A complete product on its own database: the web side, and optionally workers and the sandbox bank. */
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

  static async start(clusterUrl: string, options: TestProductOptions = {}): Promise<TestProduct> {
    const database: TestDatabase = await cloneDatabase(clusterUrl);
    const folder = await mkdtemp(join(tmpdir(), 'hengfu-product-'));
    const config: Config = readConfig({
      APP_KEY: testKey,
      DEMO: '1',
      DATA_DIR: folder,
      DATABASE_URL: database.ownerUrl,
      LOG_LEVEL: 'silent',
      DRAIN_SECONDS: '0',
      ...throughPooler(options.networkUrl ? undefined : (options.pooler ?? inject('pooler')), database),
      ...(options.replicaUrl && { REPLICA_URL: options.replicaUrl(database.ownerUrl) }),
      ...options.env,
    });
    const log = options.log ?? pino({ level: config.logLevel });
    const bank = options.bank ? await startSandbox(bankOptions(join(folder, 'sandbox'))) : undefined;
    const named = config.sandboxUrl === undefined ? undefined : sandboxOf(config);
    const sandbox = bank ? { url: bank.url, secret: bankSecret } : named;
    const runtime = await openRuntime(
      { ...config, placement: options.hasOnePlacement ? onePlacement : pretendedPlacement },
      options.networkUrl?.(database.ownerUrl) ?? database.ownerUrl,
      sandbox,
      log,
    );
    await runtime.feed.start();
    const metrics = options.metrics ?? new Metrics();
    const { services, feed } = runtime;
    const app = await buildApp({
      config,
      services,
      feed,
      metrics,
      log,
      // Stub pages, so that no test depends on a build of the console.
      consoleFolder: join(import.meta.dirname, 'console'),
      signInLimits: options.signInLimits ?? wideSignInLimits,
    });
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    runtime.setAppUrl(url);
    const workers = options.worker ? startWorkers(runtime, database.ownerUrl, log, metrics) : undefined;
    const product = new TestProduct(
      { app, runtime, url, ownerUrl: database.ownerUrl, dataDirectory: folder, bank },
      async () => {
        await ended('requests end', app.close());
        await ended('workers stop', workers?.stop());
        const unnamed = await ended('audited fields', unnamedFields(services.database));
        await ended('runtime closes', runtime.close());
        await ended('sandbox closes', bank?.close());
        await ended('database is dropped', database.drop());
        await rm(folder, { recursive: true, force: true, maxRetries: 5 });
        const crossings = takeCrossings();
        if (crossings.length > 0 && !options.hasOnePlacement)
          throw new Error(`statements for merchants of several placements:\n${crossings.join('\n')}`);
        if (unnamed?.length)
          throw new Error(`audited without a name in contract/src/audit-fields.ts:\n${unnamed.join('\n')}`);
      },
    );
    await product.#merchants.installChannels('sandbox');
    return product;
  }

  /** Creates a merchant that may collect in its currency, with an access key that this machine may use. */
  async merchant(
    code: string,
    currency: 'CNY' | 'VND' = 'CNY',
    zone = 'Asia/Shanghai',
  ): Promise<TestMerchant> {
    const { key, ...merchant } = await makeMerchant(this.#merchants, { code, currency, zone });
    return { ...merchant, program: new ShopProgram(this.url, key) };
  }

  /** Gives a merchant available funds: an amount collected, less its fee, and settled. */
  async fund(merchant: TestMerchant, amount: string): Promise<void> {
    await fundMerchant(this, merchant, amount);
  }

  /** Creates a user of a merchant, and signs in. */
  async person(
    merchant: TestMerchant,
    role: RoleCode = 'MERCHANT_ADMIN',
    name: string = role.toLowerCase(),
  ): Promise<Visitor> {
    const email = `${name}@${merchant.code}.test`;
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

  /** Opens a browser that is not signed in. */
  visitor(): Visitor {
    return new Visitor(this.url);
  }

  admin(): MerchantService {
    return this.#merchants;
  }

  /** Makes the partitions of the months since an instant, for records of the past. */
  async monthsSince(from: Date | number): Promise<void> {
    await asOwner(this.ownerUrl, (client) => makeMonths(client, new Date(from), new Date()));
  }

  /** Checks ledger and orders; returns every violation. */
  violations() {
    return this.services.database.asSystem((tx) => violations(tx));
  }

  /** Counts the deadlocks that PostgreSQL has resolved. */
  async deadlocks(): Promise<number> {
    const count = `select deadlocks from pg_stat_database where datname = current_database()`;
    const { rows } = await asOwner(this.ownerUrl, (client) => client.query<{ deadlocks: string }>(count));
    return Number(rows[0]?.deadlocks);
  }

  close(): Promise<void> {
    return this.#close();
  }
}

/** Returns the settings that lead a product to its database through a pooler. */
export function throughPooler(
  pooler: Omit<Pooler, 'stop'> | undefined,
  { ownerUrl }: Pick<TestDatabase, 'ownerUrl'>,
): NodeJS.ProcessEnv {
  if (!pooler) return {};
  const url = new URL(pooler.url);
  url.pathname = new URL(ownerUrl).pathname;
  return { POOLER_URL: url.href, POOLER_PREPARES: pooler.prepares ? '1' : '0' };
}

/** Options of a sandbox bank with short delays. */
function bankOptions(dataDirectory: string): SandboxOptions {
  const retryDelaysMs: [number, ...number[]] = [100, 300, 1000];
  const timings = { delayedMs: 300, lateAfterMs: 200, holdMs: 300, retryDelaysMs };
  return { dataDirectory, secret: bankSecret, timings, hasControl: true };
}
