import { setTimeout as pause } from 'node:timers/promises';
import { endLeftovers } from './leftovers.ts';
import { freePort, type ServerOptions, ServerProcess, StartError } from './server-process.ts';

const maxStartAttempts = 20;
const heldPauseMs = 500;
const firstRestartMs = 100;
const longestRestartMs = 5000;
/** A run that lasted this long did not fail at startup, so the next restart is quick again. */
const stableRunMs = 10_000;

/** Keeps PostgreSQL running until it is stopped: restarts it on the same port, with backoff, if it dies. */
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

  /** Starts it on the wanted port, or on another if that is taken. Returns the port. */
  async start(wantedPort: number): Promise<number> {
    for (let attempt = 1; ; attempt++) {
      this.#port = await freePort(attempt === 1 ? wantedPort : 0);
      const server = this.#launch();
      try {
        await server.ready;
        this.#watch = this.#keepAlive(server);
        return this.#port;
      } catch (error) {
        const canRetry = error instanceof StartError && (error.isPortTaken || error.isClusterHeld);
        if (!canRetry || attempt === maxStartAttempts) throw error;
        if (error.isClusterHeld) await pause(heldPauseMs);
      }
    }
  }

  /** Shuts it down for good. May be called again and at any time. */
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
      waitMs = Date.now() - startedAt > stableRunMs ? firstRestartMs : waitMs;
      this.#options.log(`PostgreSQL has ended (${how}), restarting it`);
      server = await this.#restart(waitMs);
      waitMs = nextBackoff(waitMs);
    }
  }

  /** Restarts it, trying until it succeeds. Returns undefined if it is to stop. */
  async #restart(firstWaitMs: number): Promise<ServerProcess | undefined> {
    const { signal } = this.#stopping;
    for (let waitMs = firstWaitMs; ; waitMs = nextBackoff(waitMs)) {
      await pause(waitMs, undefined, { signal }).catch(() => {});
      try {
        if (!signal.aborted) await endLeftovers(this.#options.location.cluster, this.#options.log);
        if (signal.aborted) return undefined;
        const server = this.#launch();
        await server.ready;
        return server;
      } catch (error) {
        if (signal.aborted) return undefined;
        this.#options.log(
          `PostgreSQL does not start, retrying: ${error instanceof Error ? error.message : error}`,
        );
      }
    }
  }
}

const nextBackoff = (waitMs: number) => Math.min(waitMs * 2, longestRestartMs);
