import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { programEnvironment } from './cluster.ts';
import type { ClusterLocation } from './cluster-location.ts';
import { clusterTitle } from './leftovers.ts';
import { LogFilter } from './log-filter.ts';

const fastShutdownMs = 60_000;
const lastWordsMs = 200;

/** What PostgreSQL is started with. */
export interface ServerOptions {
  place: ClusterLocation;
  /** Directory of the programs. */
  bin: string;
  port: number;
  /** False: fsync off, for tests that lose nothing with the machine. */
  durable: boolean;
  /** Settings that replace ours, except those that the supervision rests on. */
  settings: Record<string, string>;
  log: (line: string) => void;
}

/** PostgreSQL ended before it was ready. */
export class StartError extends Error {
  /** Another process was quicker to take the port. */
  readonly isPortTaken: boolean;
  /** Processes of an earlier run still use the cluster's memory. */
  readonly isClusterHeld: boolean;

  constructor(how: string, said: string) {
    super(`PostgreSQL did not start (${how}): ${said}`);
    this.isPortTaken =
      said.includes('could not bind') || said.includes('could not create any TCP/IP sockets');
    this.isClusterHeld = /pre-existing shared memory block|lock file .* already exists/.test(said);
  }
}

/** One run of PostgreSQL: a process of ours, from its start to its end. */
export class ServerProcess {
  /** Resolves once it takes connections; rejects with a {@link StartError} where it ends before. */
  readonly ready: Promise<void>;
  /** Resolves at its end, with how it came. */
  readonly ended: Promise<string>;
  readonly #child: ChildProcess;

  constructor(options: ServerOptions) {
    this.#child = spawn(join(options.bin, 'postgres'), commandLine(options), {
      cwd: '/',
      stdio: ['ignore', 'ignore', 'pipe'],
      env: programEnvironment,
      // A process group of its own: Ctrl-C in the terminal reaches us first, and we end it when all is done.
      detached: true,
      ...options.place.account,
    });
    // Nobody outlives a product that ends without having stopped it.
    const endWithUs = () => this.#child.kill('SIGINT');
    process.once('exit', endWithUs);
    this.ended = new Promise<string>((resolve) => {
      this.#child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
      // The same event tells of a signal that could not be sent: only a process that never was has ended by it.
      this.#child.on('error', (error) => this.#child.pid ?? resolve(error.message));
    }).finally(() => process.off('exit', endWithUs));
    this.ready = this.#becomesReady(options.log);
    this.ready.catch(() => {});
  }

  /** Shuts it down: transactions under way are rolled back, connections closed. Resolves at its end. */
  async shutDown(): Promise<void> {
    this.#child.kill('SIGINT');
    const impatience = new AbortController();
    // What is not written out by then is recovered at the next start.
    pause(fastShutdownMs, undefined, { signal: impatience.signal }).then(
      () => this.#child.kill('SIGQUIT'),
      () => {},
    );
    await this.ended;
    impatience.abort();
  }

  #becomesReady(log: (line: string) => void): Promise<void> {
    const filter = new LogFilter();
    const { stderr } = this.#child;
    if (!stderr) return this.ended.then((how) => Promise.reject(new StartError(how, '')));
    const lines = createInterface({ input: stderr });
    const closed = new Promise<void>((resolve) => lines.once('close', resolve));
    return new Promise((resolve, reject) => {
      lines.on('line', (line) => {
        if (filter.shows(line)) log(line);
        if (line.includes('database system is ready to accept connections')) resolve();
      });
      this.ended.then(async (how) => {
        // Its last words may still be in the pipe, which a process of its own can hold open longer.
        await Promise.race([closed, pause(lastWordsMs)]);
        reject(new StartError(how, filter.latest()));
      });
    });
  }
}

function commandLine({ place, port, durable, settings }: ServerOptions): string[] {
  const all: Record<string, string> = {
    max_connections: '200',
    shared_buffers: '256MB',
    max_wal_size: '2GB',
    // Compiling a plan costs more than it saves in the product's short queries.
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
    // Commits are still handed to the system: a killed process loses nothing, only the machine's end does.
    ...(!durable && { fsync: 'off', full_page_writes: 'off' }),
    ...settings,
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    cluster_name: clusterTitle(place.cluster),
    log_destination: 'stderr',
    logging_collector: 'off',
    log_min_messages: 'warning',
    log_line_prefix: '',
    lc_messages: 'C',
  };
  return ['-D', place.cluster, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

/**
 * Below the range from which systems take the ports of outgoing connections: one of those can't have taken the
 * server's port in the moment that it is away, not even our own that tries to reach it.
 */
const lowestPort = 20_000;
const highestPort = 32_000;

/** The wanted port of the loopback address where it is free, else any. */
export async function freePort(wanted: number): Promise<number> {
  for (let port = wanted; ; port = randomInt(lowestPort, highestPort)) {
    if (port !== 0 && (await isFree(port))) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => resolve(true)));
  });
}
