import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '#db/embedded/server-process.ts';
import { type Login, urlAs } from '#db/login.ts';
import { isRoot } from './obstacle.ts';
import { until } from './until.ts';

/** A running PgBouncer in transaction mode. */
export interface Pooler {
  url: string;
  /** Whether it supports prepared statements. */
  prepares: boolean;
  stop(): Promise<void>;
}

const nobodyId = 65_534;
/** Fewer than one process uses, so that transactions share them. */
const serverConnections = 4;

/** Starts PgBouncer in front of a cluster, for all its databases. */
export async function startPgbouncer(program: string, clusterUrl: string, login: Login): Promise<Pooler> {
  const version = execFileSync(program, ['--version'], { encoding: 'utf8' });
  const [, major = '0', minor = '0'] = /PgBouncer (\d+)\.(\d+)/.exec(version) ?? [];
  const prepares = Number(major) > 1 || Number(minor) >= 21;
  const folder = mkdtempSync(join(tmpdir(), 'hengfu-pgbouncer-'));
  chmodSync(folder, 0o755);
  const port = await freePort(0);
  const cluster = new URL(clusterUrl);
  writeFileSync(join(folder, 'users.txt'), `"${login.name}" "${login.password}"\n`);
  const lines = [
    '[databases]',
    `* = host=${cluster.hostname} port=${cluster.port || 5432}`,
    '[pgbouncer]',
    `listen_addr = 127.0.0.1`,
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = scram-sha-256',
    `auth_file = ${join(folder, 'users.txt')}`,
    'pool_mode = transaction',
    `default_pool_size = ${serverConnections}`,
    'max_client_conn = 1000',
    // So that a test's database can be dropped soon after its last connection.
    'server_idle_timeout = 1',
    ...(prepares ? ['max_prepared_statements = 200'] : []),
  ];
  writeFileSync(join(folder, 'pgbouncer.ini'), `${lines.join('\n')}\n`);
  const child = spawn(program, ['-q', join(folder, 'pgbouncer.ini')], {
    stdio: 'ignore',
    ...(isRoot && { uid: nobodyId, gid: nobodyId }),
  });
  const url = new URL(urlAs(clusterUrl, login));
  url.hostname = '127.0.0.1';
  url.port = String(port);
  await until(
    () => answers(url.href),
    (isUp) => isUp,
  );
  return {
    url: url.href,
    prepares,
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGINT');
      await ended;
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  return client
    .connect()
    .then(() => client.end())
    .then(
      () => true,
      () => false,
    );
}
