import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { isAlive } from './lock.ts';
import type { Place } from './place.ts';

const readyPollMs = 20;
const readyTimeoutMs = 120_000;
const leftoverWaitMs = 15_000;

/** What is said to whoever knocks before the server is up: to us, some dozens of times. */
const startingNoise =
  /the database system is (starting up|not yet accepting connections)|Consistent recovery state/;

/** What PostgreSQL is started with. */
export interface ServerOptions {
  place: Place;
  port: number;
  /** False: fsync off, for tests that lose nothing with the machine. */
  durable: boolean;
  settings: Record<string, string>;
  log: (line: string) => void;
}

/** Starts PostgreSQL; it answers once {@link waitUntilReady} resolves. */
export function spawnServer(options: ServerOptions): ChildProcess {
  const { place, port, durable, log } = options;
  const settings: Record<string, string> = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    shared_buffers: '256MB',
    max_wal_size: '2GB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // A refused statement is the application's to report; the server's own words are what is kept.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
    ...(!durable && { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
    ...options.settings,
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(join(place.bin, 'postgres'), ['-D', place.cluster, ...args], {
    cwd: place.cluster,
    stdio: ['ignore', 'ignore', 'pipe'],
    // A process group of its own: Ctrl-C in the terminal reaches us first, and we end it when all is done.
    detached: true,
    ...place.account,
  });
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (!startingNoise.test(line)) log(line);
  });
  return child;
}

/** Resolves once the server takes connections; rejects where its process ends before. */
export async function waitUntilReady(child: ChildProcess, url: string): Promise<void> {
  const end = Date.now() + readyTimeoutMs;
  while (Date.now() < end) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error('PostgreSQL ended while starting.');
    if (await answers(url)) return;
    await pause(readyPollMs);
  }
  throw new Error('PostgreSQL does not answer.');
}

/** Whether a database takes a connection. */
export async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}

/** Ends a server that a killed product has left behind on this cluster, so that its successor can start. */
export async function endLeftover(cluster: string, log: (line: string) => void): Promise<void> {
  const pid = leftoverPid(cluster);
  if (pid === undefined) return;
  log(`ending the server that the last run left behind (process ${pid})`);
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    process.kill(pid, signal);
    const end = Date.now() + leftoverWaitMs;
    while (Date.now() < end) {
      if (!isAlive(pid)) return;
      await pause(readyPollMs);
    }
  }
}

/** The living postmaster of a cluster; undefined where its file is only left over. */
export function leftoverPid(cluster: string): number | undefined {
  const file = join(cluster, 'postmaster.pid');
  if (!existsSync(file)) return undefined;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  return Number.isInteger(pid) && pid > 0 && isAlive(pid) && isServerOf(pid, cluster) ? pid : undefined;
}

/** A number can have gone to another process since: only a postgres of this cluster counts. */
function isServerOf(pid: number, cluster: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(cluster);
  } catch {
    return process.platform !== 'linux';
  }
}

/** The wanted port where it is free, else any. */
export function freePort(wanted: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error) => (wanted === 0 ? reject(error) : resolve(freePort(0))));
    probe.listen(wanted, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : wanted));
    });
  });
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
