import { setTimeout as pause } from 'node:timers/promises';
import { endLeftovers } from './leftovers.ts';
import { freePort, type ServerOptions, ServerProcess, StartError } from './server-process.ts';

const startTries = 20;
const heldPauseMs = 500;
const firstRestartMs = 100;
const slowestRestartMs = 5000;
/** Who has run as long as this did not die of its start: the next restart is quick again. */
const soundRunMs = 10_000;

/** Keeps PostgreSQL running until it is told to stop: one that dies is started again, on the same port. */
export class Supervisor {
  readonly #options: Omit<ServerOptions, 'port'>;
  readonly #stopping = new AbortController();
  #port = 0;
  #server: ServerProcess | undefined;
  #watch: Promise<void> = Promise.resolve();
  #stopped: Promise<void> | undefined;

  constructor(options: Omit<ServerOptions, 'port'>) {
    this.#options = options;
  }

  /** Starts it on the wanted port, or on another where that is taken; returns the port. */
  async start(wantedPort: number): Promise<number> {
    for (let attempt = 1; ; attempt++) {
      this.#port = await freePort(attempt === 1 ? wantedPort : 0);
      const server = this.#launch();
      try {
        await server.ready;
        this.#watch = this.#keepAlive(server);
        return this.#port;
      } catch (error) {
        const isWorthTrying = error instanceof StartError && (error.isPortTaken || error.isClusterHeld);
        if (!isWorthTrying || attempt === startTries) throw error;
        if (error.isClusterHeld) await pause(heldPauseMs);
      }
    }
  }

  /** Shuts it down for good; may be called again and at any time. */
  stop(): Promise<void> {
    this.#stopped ??= this.#shutDown();
    return this.#stopped;
  }

  async #shutDown(): Promise<void> {
    this.#stopping.abort();
    await this.#server?.shutDown();
    await this.#watch;
  }

  #launch(): ServerProcess {
    this.#server = new ServerProcess({ ...this.#options, port: this.#port });
    return this.#server;
  }

  async #keepAlive(first: ServerProcess): Promise<void> {
    let server: ServerProcess | undefined = first;
    let waitMs = firstRestartMs;
    while (server) {
      const startedAt = Date.now();
      const how = await server.ended;
      if (this.#stopping.signal.aborted) return;
      waitMs = Date.now() - startedAt > soundRunMs ? firstRestartMs : waitMs;
      this.#options.log(`PostgreSQL has ended (${how}): starting it again`);
      server = await this.#restart(waitMs);
      waitMs = next(waitMs);
    }
  }

  /** Starts it again, however often it takes; undefined where it is to stop. */
  async #restart(firstWaitMs: number): Promise<ServerProcess | undefined> {
    const { signal } = this.#stopping;
    for (let waitMs = firstWaitMs; ; waitMs = next(waitMs)) {
      await pause(waitMs, undefined, { signal }).catch(() => {});
      try {
        if (!signal.aborted) await endLeftovers(this.#options.place.cluster, this.#options.log);
        if (signal.aborted) return undefined;
        const server = this.#launch();
        await server.ready;
        return server;
      } catch (error) {
        if (signal.aborted) return undefined;
        this.#options.log(`PostgreSQL does not start yet: ${error instanceof Error ? error.message : error}`);
      }
    }
  }
}

const next = (waitMs: number) => Math.min(waitMs * 2, slowestRestartMs);
