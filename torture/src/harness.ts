import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { type RunningSandbox, startSandbox } from '@hengfu/sandbox/server';
import { freePort } from '@hengfu/server/db/embedded/server-process.ts';
import { fundMerchant, type KeyedMerchant, makeMerchants } from '@hengfu/server/testing/keyed-merchants.ts';
import { endProcess, startProcess } from '@hengfu/server/testing/product-process.ts';
import { ShopProgram } from '@hengfu/server/testing/shop-program.ts';
import { sandboxSecret, testKey } from '@hengfu/server/testing/test-database.ts';
import { openTestInstallation, type TestInstallation } from '@hengfu/server/testing/test-installation.ts';

export type Part = 'all' | 'web' | 'worker';

/** A process of the product. */
export interface ProductProcess {
  url: string;
  child: ChildProcess;
}

const merchantCount = 4;
const funds = '1000000.00';
/** Short delays, so that the sandbox bank finishes payouts quickly. */
const timings = {
  delayedMs: 300,
  lateAfterMs: 200,
  holdMs: 300,
  callbackTimeoutMs: 3000,
  retryDelaysMs: [100, 300, 1000, 3000] as [number, ...number[]],
};

/** The fixture for a running product: a database with funded merchants, and a sandbox bank. */
export class Harness {
  readonly installation: TestInstallation;
  readonly bank: RunningSandbox;
  readonly bankFolder: string;
  readonly merchants: readonly KeyedMerchant[];
  readonly #processes = new Set<ChildProcess>();
  /** Address for the bank's callbacks: the web process that was started last. */
  #appUrl = '';

  private constructor(
    installation: TestInstallation,
    bank: RunningSandbox,
    bankFolder: string,
    merchants: KeyedMerchant[],
  ) {
    this.installation = installation;
    this.bank = bank;
    this.bankFolder = bankFolder;
    this.merchants = merchants;
  }

  /** Opens a harness on a new database, or on the given installation, which {@link close} then closes. */
  static async open(given?: TestInstallation): Promise<Harness> {
    const installation = given ?? (await openTestInstallation());
    const bankFolder = join(installation.folder, 'bank');
    const secret = sandboxSecret;
    const bank = await startSandbox({ dataDirectory: bankFolder, secret, timings });
    const merchants = await makeMerchants(installation.runtime, merchantCount);
    for (const merchant of merchants) await fundMerchant(installation.runtime, merchant, funds);
    return new Harness(installation, bank, bankFolder, merchants);
  }

  /** Starts a process of the product, on the given port or on a free one. */
  async startProduct(part: Part, env: NodeJS.ProcessEnv = {}, port?: number): Promise<ProductProcess> {
    const ownPort = port ?? (await freePort(0));
    const url = `http://127.0.0.1:${ownPort}`;
    if (part !== 'worker') this.#appUrl = url;
    const child = await startProcess({
      ...process.env,
      APP_KEY: testKey,
      DATABASE_URL: this.installation.ownerUrl,
      DATA_DIR: join(this.installation.folder, 'data'),
      DEMO: '0',
      SANDBOX_SERVES: 'all',
      LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
      METRICS_PORT: '0',
      SANDBOX_URL: this.bank.url,
      PROCESS: part,
      PORT: String(ownPort),
      APP_URL: this.#appUrl,
      ...env,
    });
    this.#processes.add(child);
    child.once('exit', () => this.#processes.delete(child));
    return { url, child };
  }

  /** Kills the remaining processes, then closes the bank and the installation. */
  async close(options: Parameters<TestInstallation['close']>[0] = {}): Promise<void> {
    await Promise.all([...this.#processes].map((child) => endProcess(child, 'SIGKILL')));
    await this.bank.close();
    await this.installation.close(options);
  }
}

/** Creates a program for each merchant that calls the product at `url`. */
export function programsOf(
  merchants: readonly KeyedMerchant[],
  url: string,
): Map<KeyedMerchant, ShopProgram> {
  return new Map(merchants.map((merchant) => [merchant, new ShopProgram(url, merchant.key)]));
}
