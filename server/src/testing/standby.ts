import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { readAccess } from '#db/embedded/access.ts';
import { giveTo } from '#db/embedded/account.ts';
import { packagedFolder, usableBinaries } from '#db/embedded/binaries.ts';
import { programEnvironment } from '#db/embedded/cluster.ts';
import { findCluster } from '#db/embedded/cluster-location.ts';
import { freePort } from '#db/embedded/server-process.ts';
import { until } from './until.ts';

/** A hot standby that streams from an embedded cluster, or from another standby that was promoted. */
export interface Standby {
  port: number;
  /** Directory of its files. */
  cluster: string;
  /** Resolves once it shows all that its primary has committed so far. */
  catchUp(): Promise<void>;
  /** Pauses or resumes the replay of changes. */
  pauseReplay(isPaused: boolean): Promise<void>;
  /** Makes it a primary of its own; resolves once it accepts writes. */
  promote(): Promise<void>;
  /** Runs one statement as the superuser, and returns the first value of its first row, if any. */
  ask<T>(statement: string): Promise<T | undefined>;
  /** Like `ask`, on the server that it streams from. */
  onPrimary<T>(statement: string): Promise<T | undefined>;
  stop(): Promise<void>;
}

interface StandbyOptions {
  /** The promoted standby to stream from, instead of the embedded cluster. */
  from?: Pick<Standby, 'port' | 'cluster'>;
  /** A free one by default. */
  port?: number;
  /** Its name in the primary's `synchronous_standby_names`. */
  name?: string;
}

const startWithinMs = 90_000;

/** Starts a standby of a running cluster, on a base backup of its files. Leaves nothing behind if that fails. */
export async function startStandby(dataDir: string, options: StandbyOptions = {}): Promise<Standby> {
  const primary = findCluster(dataDir, () => {});
  const access = readAccess(dataDir);
  if (!access) throw new Error('there is no cluster in this data directory');
  const superuser = (port: number) =>
    `postgres://postgres:${access.superuserPassword}@127.0.0.1:${port}/postgres`;
  const source = options.from ?? { port: access.port, cluster: primary.cluster };
  const port = options.port ?? (await freePort(0));
  const slot = `standby_${port}`;
  const home = mkdtempSync(join(tmpdir(), 'hengfu-standby-'));
  const cluster = join(home, 'cluster');
  let child: ChildProcess | undefined;
  const stop = async () => {
    if (child) await end(child);
    await dropSlot(superuser(source.port), slot);
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    chmodSync(home, 0o755);
    // Other tests write while the backup is taken: without a slot, the source may have removed the WAL that follows it.
    await ask(superuser(source.port), `select pg_create_physical_replication_slot('${slot}', true)`);
    await backUp(superuser(source.port), source.cluster, cluster);
    writeFileSync(join(cluster, 'standby.signal'), '');
    // In the file that ALTER SYSTEM changes, so that a test can cut it off.
    const connection = `host=127.0.0.1 port=${source.port} user=postgres password=${access.superuserPassword} application_name=${options.name ?? 'standby'}`;
    appendFileSync(
      join(cluster, 'postgresql.auto.conf'),
      `primary_conninfo = '${connection}'\nprimary_slot_name = '${slot}'\n`,
    );
    giveTo(primary.account, home);
    const program = join(usableBinaries(packagedFolder(), primary.home, primary.account), 'postgres');
    child = spawn(program, ['-D', cluster, ...settingsFor(port)], {
      cwd: '/',
      stdio: ['ignore', 'ignore', 'pipe'],
      env: programEnvironment,
      ...primary.account,
    });
    await untilUp(child, superuser(port));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    port,
    cluster,
    promote: async () => {
      await ask(superuser(port), 'select pg_promote()');
      await until(() => ask<boolean>(superuser(port), 'select not pg_is_in_recovery()'), Boolean, 30_000);
    },
    ask: (statement) => ask(superuser(port), statement),
    onPrimary: (statement) => ask(superuser(source.port), statement),
    catchUp: async () => {
      const written = await ask<string>(superuser(source.port), 'select pg_current_wal_lsn()::text');
      const isReplayed = `select pg_last_wal_replay_lsn() >= '${written}'::pg_lsn`;
      await until(() => ask<boolean>(superuser(port), isReplayed), Boolean, 60_000);
    },
    pauseReplay: (isPaused) =>
      ask<unknown>(superuser(port), `select pg_wal_replay_${isPaused ? 'pause' : 'resume'}()`).then(() => {}),
    stop,
  };
}

/** Returns the arguments of a standby that listens on a port. */
function settingsFor(port: number): string[] {
  const settings = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    fsync: 'off',
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** Resolves once a standby accepts connections, which it does after replaying the WAL that was written during the backup. */
async function untilUp(child: ChildProcess, url: string): Promise<void> {
  const lines: string[] = [];
  if (child.stderr)
    createInterface({ input: child.stderr }).on('line', (line) => {
      if (!/not yet accepting connections|state has not been yet reached/.test(line)) lines.push(line);
    });
  const isUp = async () => {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('the standby has ended');
    return ask<boolean>(url, 'select true').catch(() => false);
  };
  await until(isUp, Boolean, startWithinMs).catch((error: unknown) => {
    throw new Error(`the standby does not accept connections: ${lines.slice(-20).join('\n')}`, {
      cause: error,
    });
  });
}

/** Stops a standby, and resolves once it has ended. */
async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGINT');
  await ended;
}

/** Backs up a running cluster with the low-level API (PostgreSQL documentation, 26.3.3). */
async function backUp(url: string, from: string, to: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  // The statement that is under way reports it, too.
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(`select pg_backup_start('standby', true)`);
    mkdirSync(to, { mode: 0o700 });
    await copyTree(from, to);
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    writeFileSync(join(to, 'backup_label'), rows[0]?.labelfile ?? '');
  } finally {
    await client.end();
  }
}

/** Copies the files of a running cluster. */
async function copyTree(from: string, to: string): Promise<void> {
  const excluded = ['--exclude=./postmaster.pid', '--exclude=./postmaster.opts'];
  const pack = spawn('tar', ['-C', from, ...excluded, '-cf', '-', '.'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const unpack = spawn('tar', ['-C', to, '-xf', '-'], { stdio: ['pipe', 'ignore', 'ignore'] });
  // Not a pipeline: that takes the end of a reader for a failure if it comes before its own last event.
  unpack.stdin.on('error', () => {});
  unpack.once('close', () => pack.stdout.destroy());
  pack.stdout.pipe(unpack.stdin);
  const [[packed], [unpacked]] = await Promise.all([once(pack, 'close'), once(unpack, 'close')]);
  // With 1, files have changed or vanished during the copy: the WAL brings them up to date.
  if (packed > 1 || packed === null || unpacked !== 0)
    throw new Error(`the copy of the cluster failed: tar ended with ${packed} and ${unpacked}`);
}

/** Drops a slot once its connection has ended, or else it would keep the WAL of all tests that follow. */
async function dropSlot(url: string, slot: string): Promise<void> {
  const drop = `select pg_drop_replication_slot(slot_name) from pg_replication_slots
    where slot_name = '${slot}' and not active`;
  const isLeft = `select exists (select from pg_replication_slots where slot_name = '${slot}')`;
  const isDropped = () => ask(url, drop).then(async () => !(await ask<boolean>(url, isLeft)));
  // A source that has ended keeps nothing.
  await until(isDropped, Boolean, 10_000).catch(() => {});
}

/** Runs one statement, and returns the first value of its first row, if any. */
export async function ask<T>(url: string, query: string): Promise<T | undefined> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query<[T]>({ text: query, rowMode: 'array' });
    return rows[0]?.[0];
  } finally {
    await client.end();
  }
}
