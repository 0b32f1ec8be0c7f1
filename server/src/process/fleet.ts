import cluster, { type Worker as Child } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '#config.ts';
import { entryFile } from '#folders.ts';
import { openLog } from '#observability/log.ts';
import { ConfigError } from '#settings/config-error.ts';
import { banner } from './banner.ts';
import { FleetError } from './fleet-error.ts';
import type { Installation } from './installation.ts';
import { portIfFree } from './ports.ts';
import type { ProcessCounts } from './process-counts.ts';
import { Product } from './product.ts';
import { staffPortOf } from './staff-side.ts';
import { localUrl, removeUrlFile, writeUrlFile } from './url-file.ts';

const minRestartDelayMs = 500;
const maxRestartDelayMs = 30_000;
/** A process that ran for this long did not fail at its start: its next restart is quick again. */
const stableAfterMs = 30_000;
const metricsPortOffset = 1000;

type Part = 'web' | 'worker' | 'staff';

/**
 * Runs the product as several processes on this machine. This process holds the installation; the web processes share one port. A process that dies is restarted, with backoff.
 */
export class Fleet {
  readonly #config: Config;
  readonly #counts: ProcessCounts;
  readonly #installation: Installation;
  readonly #parent: Product;
  readonly #log: Logger;
  readonly #children = new Set<Child>();
  readonly #stopping = new AbortController();

  constructor(config: Config, counts: ProcessCounts, installation: Installation) {
    this.#config = config;
    this.#installation = installation;
    this.#counts = counts;
    this.#parent = new Product(
      { ...config, web: false, worker: false, staff: false, autopilot: false },
      installation,
    );
    this.#log = openLog(config.logLevel);
  }

  /** Starts all processes; resolves with the start-up message once every process is ready. */
  async start(): Promise<string> {
    if (this.#config.port === 0) throw new ConfigError('Several processes need a fixed PORT.');
    await this.#parent.start();
    // Web processes accept connections themselves. If the parent handed them over, a connection would hang
    // when its process died or stalled before accepting it.
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    cluster.setupPrimary({ exec: entryFile('main'), args: [] });
    const { web, workers } = this.#counts;
    const parts = [...Array<Part>(web).fill('web'), ...Array<Part>(workers).fill('worker')];
    const staffUrl = await this.#staffUrl();
    if (staffUrl !== undefined) parts.push('staff');
    await Promise.all(parts.map((part, index) => this.#run(part, index + 1)));
    const { host, port, appUrl } = this.#config;
    const url = localUrl(host, port);
    writeUrlFile(this.#config, url);
    return banner({ ...this.#config, web: true }, appUrl ?? url, {
      staffUrl,
      processes: `${web} web, ${workers} ${workers === 1 ? 'worker' : 'workers'}`,
    });
  }

  /** Stops web processes and workers gracefully, then what this process itself runs. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    removeUrlFile(this.#config);
    await Promise.all(
      [...this.#children].map(async (child) => {
        const ended = once(child, 'exit');
        child.process.kill('SIGTERM');
        await ended;
      }),
    );
    await this.#parent.stop();
  }

  /**
   * Returns the address of the back office; undefined if it is off, or its default port is taken, which its process alone would
   * end with.
   */
  async #staffUrl(): Promise<string | undefined> {
    const { port: webPort, staff, staffPort, staffHost, staffUrl } = this.#config;
    if (!staff) return undefined;
    const port = staffPortOf(this.#config, webPort);
    if (staffPort === undefined && (await portIfFree(port, staffHost)) === 0) {
      this.#log.warn({ port }, 'no back office: the port is in use');
      return undefined;
    }
    return staffUrl ?? localUrl(staffHost, port);
  }

  /** Starts one process and keeps it running. Throws {@link FleetError} if it ends before it is ready. */
  async #run(part: Part, index: number): Promise<void> {
    const child = await this.#fork(part, index);
    const ended = once(child, 'exit');
    const isReady = await Promise.race([once(child, 'message').then(() => true), ended.then(() => false)]);
    if (!isReady) throw new FleetError(`A ${part} process could not start.`);
    void this.#keepAlive(part, index, ended);
  }

  async #keepAlive(part: Part, index: number, first: Promise<unknown>): Promise<void> {
    let ended = first;
    let delayMs = minRestartDelayMs;
    const { signal } = this.#stopping;
    for (let startedAt = Date.now(); ; startedAt = Date.now()) {
      await ended;
      if (signal.aborted) return;
      if (Date.now() - startedAt > stableAfterMs) delayMs = minRestartDelayMs;
      this.#log.error({ part, index }, 'a process ended: restarting it');
      await pause(delayMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      delayMs = Math.min(delayMs * 2, maxRestartDelayMs);
      ended = once(await this.#fork(part, index), 'exit');
    }
  }

  async #fork(part: Part, index: number): Promise<Child> {
    const { port } = this.#config;
    const sandbox = await this.#installation.sandbox;
    const child = cluster.fork({
      PROCESS: part,
      PORT: String(port),
      METRICS_PORT: String(await this.#metricsPort(index)),
      ...(sandbox && { SANDBOX_URL: sandbox.url }),
    });
    this.#children.add(child);
    child.once('exit', () => this.#children.delete(child));
    return child;
  }

  /** Each process has a metrics port of its own, above the parent's. */
  async #metricsPort(index: number): Promise<number> {
    const { port, metricsPort } = this.#config;
    if (metricsPort !== undefined) return metricsPort === 0 ? 0 : metricsPort + index;
    return portIfFree(port + metricsPortOffset + index, '127.0.0.1');
  }
}
