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
const lastLinesMs = 200;

/** Options of a {@link ServerProcess}. */
export interface ServerOptions {
  location: ClusterLocation;
  /** Directory of the programs. */
  bin: string;
  port: number;
  /** False turns fsync off, for tests whose data may be lost with the machine. */
  durable: boolean;
  /** Settings that override ours, except those that supervision relies on. */
  settings: Record<string, string>;
  log: (line: string) => void;
  /** Receives every line of its log, also those that are not worth showing. */
  onLine?: (line: string) => void;
}

/** PostgreSQL ended before it was ready. */
export class StartError extends Error {
  /** Another process took the port first. */
  readonly isPortTaken: boolean;
  /** Processes of an earlier run still use the cluster's shared memory. */
  readonly isClusterHeld: boolean;

  constructor(how: string, output: string) {
    super(`PostgreSQL did not start (${how}): ${output}`);
    this.isPortTaken =
      output.includes('could not bind') || output.includes('could not create any TCP/IP sockets');
    this.isClusterHeld = /pre-existing shared memory block|lock file .* already exists/.test(output);
  }
}

/** One run of PostgreSQL as a child process, from start to exit. */
export class ServerProcess {
  /** Resolves once it accepts connections. Rejects with a {@link StartError} if it exits before. */
  readonly ready: Promise<void>;
  /** Resolves when it exits, with the signal or exit code. */
  readonly ended: Promise<string>;
  readonly #child: ChildProcess;

  constructor(options: ServerOptions) {
    this.#child = spawn(join(options.bin, 'postgres'), commandLine(options), {
      cwd: '/',
      stdio: ['ignore', 'ignore', 'pipe'],
      env: programEnvironment,
      // A process group of its own, so Ctrl-C in the terminal reaches only us and we stop it last.
      detached: true,
      ...options.location.account,
    });
    // It must not outlive a product that exits without stopping it.
    const endWithUs = () => this.#child.kill('SIGINT');
    process.once('exit', endWithUs);
    this.ended = new Promise<string>((resolve) => {
      this.#child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
      // `error` is also emitted if a signal could not be sent. Only without a process ID does it mean that the start failed.
      this.#child.on('error', (error) => this.#child.pid ?? resolve(error.message));
    }).finally(() => process.off('exit', endWithUs));
    this.ready = this.#waitUntilReady(options);
    this.ready.catch(() => {});
  }

  /** Shuts it down: rolls back open transactions and closes connections. Resolves when it has exited. */
  async shutDown(): Promise<void> {
    this.#child.kill('SIGINT');
    const timeout = new AbortController();
    // Anything not written by then is recovered at the next start.
    pause(fastShutdownMs, undefined, { signal: timeout.signal }).then(
      () => this.#child.kill('SIGQUIT'),
      () => {},
    );
    await this.ended;
    timeout.abort();
  }

  #waitUntilReady({ log, onLine }: ServerOptions): Promise<void> {
    const filter = new LogFilter();
    const { stderr } = this.#child;
    if (!stderr) return this.ended.then((how) => Promise.reject(new StartError(how, '')));
    const lines = createInterface({ input: stderr });
    const closed = new Promise<void>((resolve) => lines.once('close', resolve));
    return new Promise((resolve, reject) => {
      lines.on('line', (line) => {
        onLine?.(line);
        if (filter.shows(line)) log(line);
        if (line.includes('database system is ready to accept connections')) resolve();
      });
      this.ended.then(async (how) => {
        // Its last lines may still be in the pipe, which one of its own processes may keep open.
        await Promise.race([closed, pause(lastLinesMs)]);
        reject(new StartError(how, filter.latest()));
      });
    });
  }
}

function commandLine({ location, port, durable, settings }: ServerOptions): string[] {
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
    ...(durable
      ? // Keeps old WAL segments for the next burst of writes. While a new one is filled with zeros and flushed, all commits wait.
        { min_wal_size: '1GB' }
      : // Commits are still written to the system: they survive a killed process, but not a crash of the machine.
        { fsync: 'off', full_page_writes: 'off' }),
    ...settings,
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    cluster_name: clusterTitle(location.cluster),
    log_destination: 'stderr',
    logging_collector: 'off',
    log_min_messages: 'warning',
    log_line_prefix: '',
    lc_messages: 'C',
  };
  return [
    '-D',
    location.cluster,
    ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
}

/**
 * Below the range of ephemeral ports. No outgoing connection, not even our own attempts to reach the server,
 * can take its port while it restarts.
 */
const lowestPort = 20_000;
const highestPort = 32_000;

/** Returns the wanted port of the loopback address if it is free, else any. */
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
