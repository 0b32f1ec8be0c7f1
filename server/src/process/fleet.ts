import cluster, { type Worker as Child } from 'node:cluster';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Config, ConfigError, type ProcessCounts } from '#config.ts';
import { openLog } from '#observability/log.ts';
import { banner } from './banner.ts';
import { Product, portIfFree } from './product.ts';

const firstRestartMs = 500;
const slowestRestartMs = 30_000;
/** Who has run as long as this did not die of its start: the next restart is quick again. */
const soundRunMs = 30_000;
const metricsAbovePort = 1000;

type Part = 'web' | 'worker';

/**
 * The product as several processes of this machine: this one holds the database and the sandbox bank, web processes
 * share one port, and whichever of them dies is started again.
 */
export class Fleet {
  readonly #config: Config;
  readonly #counts: ProcessCounts;
  readonly #head: Product;
  readonly #log: Logger;
  readonly #children = new Set<Child>();
  readonly #stopping = new AbortController();

  constructor(config: Config, counts: ProcessCounts) {
    this.#config = config;
    this.#counts = counts;
    this.#head = new Product({ ...config, web: false, worker: false, autopilot: false });
    this.#log = openLog(config.logLevel);
  }

  /** Resolves with what a person should read, once every process does its work. */
  async start(): Promise<string> {
    if (this.#config.port === 0) throw new ConfigError('Several processes need a PORT that is told.');
    await this.#head.start();
    // Who takes a connection has it: handed on by this process it would hang where the one it is handed to dies or stands still.
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    cluster.setupPrimary({ exec: join(import.meta.dirname, '../main.ts'), args: [] });
    const { web, workers } = this.#counts;
    const parts = [...Array<Part>(web).fill('web'), ...Array<Part>(workers).fill('worker')];
    await Promise.all(parts.map((part, index) => this.#run(part, index + 1)));
    const { host, port, appUrl } = this.#config;
    const reachable = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host;
    return banner(
      { ...this.#config, web: true },
      appUrl ?? `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`,
      `${web} web, ${workers} ${workers === 1 ? 'worker' : 'workers'}`,
    );
  }

  /** Stops web processes and workers, which finish what is under way, then what they stood on. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(
      [...this.#children].map(async (child) => {
        const ended = once(child, 'exit');
        child.process.kill('SIGTERM');
        await ended;
      }),
    );
    await this.#head.stop();
  }

  /** Runs one process for as long as the product does. Rejects where it ends before it did any work. */
  async #run(part: Part, index: number): Promise<void> {
    const child = await this.#fork(part, index);
    const ended = once(child, 'exit');
    const isReady = await Promise.race([once(child, 'message').then(() => true), ended.then(() => false)]);
    if (!isReady) throw new FleetError(`A ${part} process could not start.`);
    void this.#keepAlive(part, index, ended);
  }

  async #keepAlive(part: Part, index: number, first: Promise<unknown>): Promise<void> {
    let ended = first;
    let waitMs = firstRestartMs;
    const { signal } = this.#stopping;
    for (let startedAt = Date.now(); ; startedAt = Date.now()) {
      await ended;
      if (signal.aborted) return;
      if (Date.now() - startedAt > soundRunMs) waitMs = firstRestartMs;
      this.#log.error({ part, index }, 'a process has ended: starting it again');
      await pause(waitMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      waitMs = Math.min(waitMs * 2, slowestRestartMs);
      ended = once(await this.#fork(part, index), 'exit');
    }
  }

  async #fork(part: Part, index: number): Promise<Child> {
    const { port } = this.#config;
    const child = cluster.fork({
      PROCESS: part,
      PORT: String(port),
      METRICS_PORT: String(await this.#metricsPort(index)),
      ...(this.#head.sandboxUrl && { SANDBOX_URL: this.#head.sandboxUrl }),
    });
    this.#children.add(child);
    child.once('exit', () => this.#children.delete(child));
    return child;
  }

  /** Each process has its own, above the head's. */
  async #metricsPort(index: number): Promise<number> {
    const { port, metricsPort } = this.#config;
    if (metricsPort !== undefined) return metricsPort === 0 ? 0 : metricsPort + index;
    return portIfFree(port + metricsAbovePort + index, '127.0.0.1');
  }
}

/** A process that the product is made of could not start; it has said why. */
export class FleetError extends Error {}
