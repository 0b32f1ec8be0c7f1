import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
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

/** Starts a standby of a running cluster, on a base backup of its files. */
export async function startStandby(dataDir: string, options: StandbyOptions = {}): Promise<Standby> {
  const primary = findCluster(dataDir, () => {});
  const access = readAccess(dataDir);
  if (!access) throw new Error('there is no cluster in this data directory');
  const home = mkdtempSync(join(tmpdir(), 'hengfu-standby-'));
  chmodSync(home, 0o755);
  const cluster = join(home, 'cluster');
  const superuser = (port: number) =>
    `postgres://postgres:${access.superuserPassword}@127.0.0.1:${port}/postgres`;
  const source = options.from ?? { port: access.port, cluster: primary.cluster };
  const port = options.port ?? (await freePort(0));
  // Other tests write while the backup is taken: without a slot, the source may have removed the WAL that follows it.
  const slot = `standby_${port}`;
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
  const settings = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    fsync: 'off',
  };
  const child = spawn(
    join(usableBinaries(packagedFolder(), primary.home, primary.account), 'postgres'),
    ['-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    { cwd: '/', stdio: ['ignore', 'ignore', 'pipe'], env: programEnvironment, ...primary.account },
  );
  const lines: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (!/not yet accepting connections|state has not been yet reached/.test(line)) lines.push(line);
  });
  const isUp = async () => {
    if (child.exitCode !== null) throw new Error(`the standby has ended: ${lines.slice(-20).join('\n')}`);
    return ask<boolean>(superuser(port), 'select true').catch(() => false);
  };
  // It accepts connections once it has replayed the WAL that was written during the backup.
  await until(isUp, Boolean, startWithinMs).catch((error: unknown) => {
    throw new Error(`the standby does not accept connections: ${lines.slice(-20).join('\n')}`, {
      cause: error,
    });
  });
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
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit');
        child.kill('SIGINT');
        await ended;
      }
      await dropSlot(superuser(source.port), slot);
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Backs up a running cluster with the low-level API (PostgreSQL documentation, 26.3.3). */
async function backUp(url: string, from: string, to: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`select pg_backup_start('standby', true)`);
  mkdirSync(to, { mode: 0o700 });
  // Files that vanish during the copy were temporary: tar warns and continues.
  await promisify(execFile)('sh', [
    '-c',
    'tar -C "$0" --exclude=./postmaster.pid --exclude=./postmaster.opts -cf - . 2>/dev/null | tar -C "$1" -xf -',
    from,
    to,
  ]);
  const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
  writeFileSync(join(to, 'backup_label'), rows[0]?.labelfile ?? '');
  await client.end();
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
