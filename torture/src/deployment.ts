import { type ChildProcess, execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type RunningSandbox, startSandbox } from '@hengfu/sandbox/server';
import type { Runtime } from '@hengfu/server/composition/runtime.ts';
import { ownerUrl, readAccess } from '@hengfu/server/db/embedded/access.ts';
import { isAlive } from '@hengfu/server/db/embedded/process-table.ts';
import { freePort } from '@hengfu/server/db/embedded/server-process.ts';
import { fundMerchant, type KeyedMerchant, makeMerchants } from '@hengfu/server/testing/keyed-merchants.ts';
import { endProcess, productMain, startProcess } from '@hengfu/server/testing/product-process.ts';
import { sandboxSecret, testKey } from '@hengfu/server/testing/test-database.ts';
import { newFolder, openServices } from '@hengfu/server/testing/test-installation.ts';
import { until } from '@hengfu/server/testing/until.ts';

const run = promisify(execFile);
const funds = '100000000.00';

/** The kinds of processes of a deployment that can be killed. */
export const parts = ['server', 'web', 'worker', 'postmaster', 'backend'] as const;
export type Part = (typeof parts)[number];

interface DeploymentOptions {
  merchants: number;
  web: number;
  workers: number;
  /** More settings. */
  env?: (folder: string) => NodeJS.ProcessEnv;
}

/**
 * A whole product as a user runs it: several processes over the durable embedded database, and a bank that
 * survives every kill.
 */
export class Deployment {
  readonly url: string;
  readonly bank: RunningSandbox;
  readonly merchants: readonly KeyedMerchant[] = [];
  readonly #folder: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #args: string[];
  #server: ChildProcess | undefined;
  #isEnding = false;

  private constructor(folder: string, bank: RunningSandbox, port: number, options: DeploymentOptions) {
    this.#folder = folder;
    this.bank = bank;
    this.url = `http://127.0.0.1:${port}`;
    this.#args = ['--web', String(options.web), '--workers', String(options.workers)];
    this.#env = {
      ...process.env,
      DATA_DIR: folder,
      PORT: String(port),
      METRICS_PORT: '0',
      APP_KEY: testKey,
      APP_URL: this.url,
      DEMO: '0',
      SANDBOX_SERVES: 'all',
      LOG_LEVEL: 'silent',
      SANDBOX_URL: bank.url,
      ...options.env?.(folder),
    };
  }

  /** The settings of its processes, for operator commands. */
  get env(): NodeJS.ProcessEnv {
    return this.#env;
  }

  static async start(options: DeploymentOptions): Promise<Deployment> {
    const folder = await newFolder();
    const bank = await startSandbox({
      dataDirectory: join(folder, 'bank'),
      secret: sandboxSecret,
    });
    const deployment = new Deployment(folder, bank, await freePort(0), options);
    await deployment.#start();
    await deployment.withRuntime(async (runtime) => {
      const merchants = await makeMerchants(runtime, options.merchants);
      for (const merchant of merchants) await fundMerchant(runtime, merchant, funds);
      Object.assign(deployment, { merchants });
    });
    return deployment;
  }

  /** Connection string of the database owner. It changes when the server restarts. */
  get ownerUrl(): string {
    const access = readAccess(join(this.#folder, 'postgres'));
    if (!access) throw new Error('the database has no access file');
    return ownerUrl(access);
  }

  /** Runs `work` with the product's services in this process, beside the product's own processes. */
  async withRuntime<T>(work: (runtime: Runtime) => Promise<T>): Promise<T> {
    const runtime = await openServices(this.ownerUrl, this.#folder);
    try {
      return await work(runtime);
    } finally {
      await runtime.close();
    }
  }

  /** Kills one process of a part; false if none is running. Restarts a killed server immediately. */
  async kill(part: Part, choose: <T>(candidates: readonly T[]) => T): Promise<boolean> {
    if (part === 'server') {
      const server = this.#server;
      if (server) await endProcess(server, 'SIGKILL');
      await this.#start();
      return true;
    }
    const pids = await this.#pidsOf(part);
    if (pids.length === 0) return false;
    return killIfAlive(choose(pids));
  }

  /** Kills every process but the bank, and removes the database, as the loss of its machine does. */
  async loseDatabase(): Promise<void> {
    const database = [...(await this.#pidsOf('backend')), ...(await this.#pidsOf('postmaster'))];
    const others = [...(await this.#pidsOf('web')), ...(await this.#pidsOf('worker'))];
    const server = this.#server;
    const ended = server && endProcess(server, 'SIGKILL');
    for (const pid of [...others, ...database]) killIfAlive(pid);
    await ended;
    await until(
      async () => [...others, ...database].filter(isAlive).length,
      (count) => count === 0,
    );
    await rm(join(this.#folder, 'postgres'), { recursive: true, force: true, maxRetries: 5 });
  }

  /** Starts the product again on what is in its folder. */
  async resume(): Promise<void> {
    await this.#start();
  }

  /** Fetches the HTTP status of `/readyz`; 0 if there is no reply. */
  async readiness(): Promise<number> {
    const signal = AbortSignal.timeout(5000);
    return fetch(`${this.url}/readyz`, { signal }).then(
      ({ status }) => status,
      () => 0,
    );
  }

  /**
   * Stops everything; resolves with the product's exit code. The bank's records stay until {@link remove}.
   */
  async stop(): Promise<number | null> {
    const server = this.#server;
    if (this.#isEnding || !server) return server?.exitCode ?? null;
    this.#isEnding = true;
    const code = await endProcess(server, 'SIGTERM');
    await this.bank.close();
    return code;
  }

  get bankFolder(): string {
    return join(this.#folder, 'bank');
  }

  async remove(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** One sentence for each exit of the server that this test did not cause. */
  readonly unexpectedExits: string[] = [];

  async #start(): Promise<void> {
    const server = await startProcess(this.#env, this.#args);
    server.once('exit', (code, signal) => {
      if (!this.#isEnding && signal !== 'SIGKILL')
        this.unexpectedExits.push(`the server exited unexpectedly (${code ?? signal})`);
    });
    this.#server = server;
  }

  async #pidsOf(part: Exclude<Part, 'server'>): Promise<number[]> {
    const server = this.#server?.pid ?? 0;
    if (part === 'web' || part === 'worker') {
      const pids = await childrenOf(server, productMain);
      const environments = await Promise.all(
        pids.map((pid) => readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')),
      );
      return pids.filter((_, index) => environments[index]?.split('\0').includes(`PROCESS=${part}`));
    }
    const pidFile = join(this.#folder, 'postgres/cluster/postmaster.pid');
    const postmaster = Number((await readFile(pidFile, 'utf8').catch(() => '')).split('\n')[0]);
    if (!postmaster) return [];
    return part === 'postmaster' ? [postmaster] : childrenOf(postmaster, 'postgres:');
  }
}

/** Kills a process; false if it has ended. */
function killIfAlive(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}

/** Lists the child processes whose command line contains a text. */
async function childrenOf(parent: number, text: string): Promise<number[]> {
  const { stdout } = await run('pgrep', ['-P', String(parent), '-f', text]).catch(() => ({ stdout: '' }));
  return stdout.split('\n').filter(Boolean).map(Number);
}
