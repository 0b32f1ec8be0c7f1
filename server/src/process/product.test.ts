import { type ChildProcess, execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isAlive } from '#db/embedded/process-table.ts';
import { freePort } from '#db/embedded/server-process.ts';
import {
  endProcess,
  operatorMain,
  productCommand,
  productMain,
  startProcess,
} from '../testing/product-process.ts';
import { ShopProgram } from '../testing/shop-program.ts';
import { until } from '../testing/until.ts';

const run = promisify(execFile);

/** Acknowledged creates in the kill test; KILLED_CREATES=2000 runs the long version. */
const killedCreates = Number(process.env.KILLED_CREATES ?? 300);

let dataDir: string;
let env: NodeJS.ProcessEnv;
let url: string;
let product: ChildProcess;

async function operator(...args: string[]): Promise<Record<string, string>> {
  const running = run(process.execPath, [operatorMain, ...args, '--json'], { env });
  // The password for “user create”; other commands read no input.
  running.child.stdin?.end('Acme-pass-2026\n');
  return JSON.parse((await running).stdout);
}

function killPostmaster(): void {
  const pidFile = readFileSync(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8');
  process.kill(Number(pidFile.split('\n')[0]), 'SIGKILL');
}

/** Returns the status of /readyz over a new connection; 0 without an answer. */
async function readiness(baseUrl: string): Promise<number> {
  const call = get(`${baseUrl}/readyz`, { agent: false, signal: AbortSignal.timeout(15_000) });
  const [response] = await once(call, 'response').catch(() => []);
  return response?.resume().statusCode ?? 0;
}

/** Lists the product's child processes of a process, in the order of their start. */
async function childrenOf(parent: number | undefined): Promise<number[]> {
  const { stdout } = await run('pgrep', ['-P', String(parent), '-f', productMain]).catch(() => ({
    stdout: '',
  }));
  return stdout.split('\n').filter(Boolean).map(Number);
}

const ready = () =>
  fetch(`${url}/readyz`).then(
    ({ status }) => status,
    () => 0,
  );

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'hengfu-process-'));
  // For root, PostgreSQL runs as another user, who needs access.
  chmodSync(dataDir, 0o755);
  const port = await freePort(0);
  url = `http://127.0.0.1:${port}`;
  env = {
    ...process.env,
    DATA_DIR: dataDir,
    PORT: String(port),
    METRICS_PORT: '0',
    DEMO: '0',
    SANDBOX_SERVES: 'all',
    APP_KEY: 'ab'.repeat(32),
    LOG_LEVEL: 'silent',
  };
  product = await startProcess(env);
}, 60_000);

afterAll(async () => {
  await endProcess(product, 'SIGTERM');
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
}, 60_000);

describe('the product as a process', () => {
  let program: ShopProgram;

  it('can be set up by operator commands while it runs, and has no demo sign-in', async () => {
    await operator('channel', 'install', '--adapter', 'sandbox');
    await operator(
      'merchant',
      'create',
      '--code',
      'acme',
      '--name',
      'Acme',
      '--currency',
      'CNY',
      '--zone',
      'Asia/Shanghai',
    );
    await operator(
      'user',
      'create',
      '--merchant',
      'acme',
      '--email',
      'a@acme.test',
      '--name',
      'A',
      '--role',
      'MERCHANT_ADMIN',
    );
    await operator('terms', 'set', '--merchant', 'acme', '--channel', 'CN_BANK', '--collection-rate', '0.6');
    const key = await operator('access-key', 'add', '--merchant', 'acme');
    await operator('ip-address', 'set', '--merchant', 'acme', '--allow', '127.0.0.1');
    program = new ShopProgram(url, { id: key.id ?? '', secret: key.secret ?? '' });
    expect((await program.create('first')).status).toBe(201);
    expect(
      (await fetch(`${url}/login`).then((response) => response.text())).includes('demo@hengfu.test'),
    ).toBe(false);
  }, 60_000);

  it('loses and duplicates nothing when server and database are killed under load', async () => {
    const acknowledged = new Map<string, string>();
    let isOver = false;
    const client = async (name: number) => {
      for (let index = 0; !isOver; index++) {
        const number = `load-${name}-${index}`;
        // A merchant's program retries with the same number until it gets an answer.
        const answer = await until(
          () => program.create(number).catch(() => undefined),
          (seen) => seen?.status === 201,
          60_000,
        );
        acknowledged.set(number, answer?.json.trade_no);
      }
    };
    const clients = Array.from({ length: 10 }, (_, name) => client(name));
    const reach = (count: number) =>
      until(
        async () => acknowledged.size,
        (size) => size >= count,
        120_000,
      );
    await reach(killedCreates / 3);
    killPostmaster();
    await reach((killedCreates * 2) / 3);
    await endProcess(product, 'SIGKILL');
    product = await startProcess(env);
    await reach(killedCreates);
    isOver = true;
    await Promise.all(clients);
    for (const [number, tradeNo] of acknowledged) {
      const found = await program.get(`/openapi/v1/collections?out_trade_no=${number}`);
      expect([found.status, found.json.trade_no]).toEqual([200, tradeNo]);
    }
    expect(await operator('ledger', 'verify')).toMatchObject({ violations: [] });
  }, 400_000);

  it('answers 503 while the database is down, then recovers', async () => {
    killPostmaster();
    const seen = new Set<number>();
    await until(ready, (status) => {
      seen.add(status);
      return seen.has(503) && status === 200;
    });
    expect([...seen].every((status) => status === 503 || status === 200)).toBe(true);
  }, 30_000);

  it('shares its work with a separate web process and worker', async () => {
    const ports = [await freePort(0), await freePort(0)];
    const beside = (PROCESS: string, port: number | undefined) =>
      startProcess({ ...env, PROCESS, PORT: String(port), METRICS_PORT: '0' });
    const others = await Promise.all([beside('web', ports[0]), beside('worker', ports[1])]);
    const other = new ShopProgram(`http://127.0.0.1:${ports[0]}`, program.key);
    const { json } = await other.create('beside', { expiresIn: 10 });
    expect((await program.get(`/openapi/v1/collections/${json.trade_no}`)).json).toMatchObject({
      status: 'toBePaid',
    });
    const look = async () => (await other.get(`/openapi/v1/collections/${json.trade_no}`)).json.status;
    expect(await until(look, (status) => status === 'closed', 30_000)).toBe('closed');
    expect(await Promise.all(others.map((child) => endProcess(child, 'SIGTERM')))).toEqual([0, 0]);
  }, 60_000);

  it('refuses to start twice on the same data, with a one-line error', async () => {
    const second = await run(process.execPath, [...productCommand], { env }).catch(
      (error: { stderr: string }) => error,
    );
    expect(second.stderr.trim().split('\n')).toHaveLength(1);
    expect(second.stderr).toContain('Another Hengfu');
  });

  it('runs several processes behind one port and restarts those that die', async () => {
    await endProcess(product, 'SIGTERM');
    product = await startProcess(env, ['--web', '2', '--workers', '2']);
    const { json } = await program.create('many', { expiresIn: 10 });
    const first = await childrenOf(product.pid);
    expect(first).toHaveLength(4);
    // A stalled web process must not delay new connections.
    process.kill(first[0] ?? 0, 'SIGSTOP');
    const calls = Array.from({ length: 10 }, () => readiness(url));
    expect(await Promise.all(calls)).toEqual(Array(10).fill(200));
    for (const pid of [first[0], first[2]]) process.kill(pid ?? 0, 'SIGKILL');
    const look = async () => (await program.get(`/openapi/v1/collections/${json.trade_no}`)).json.status;
    const answer = () => look().catch(() => 'no answer');
    expect(await until(answer, (status) => status === 'closed', 60_000)).toBe('closed');
    const second = await until(
      () => childrenOf(product.pid),
      (pids) => pids.length === 4,
    );
    expect(await endProcess(product, 'SIGTERM')).toBe(0);
    expect([...first, ...second].filter(isAlive)).toEqual([]);
  }, 120_000);

  it('starts several processes without the back office if its default port is taken', async () => {
    await endProcess(product, 'SIGTERM');
    const taken = createServer().listen(Number(env.PORT) + 2, '127.0.0.1');
    await once(taken, 'listening');
    const addresses = { APP_URL: 'http://console.test', STAFF_URL: 'http://staff.localhost' };
    product = await startProcess({ ...env, ...addresses }, ['--web', '1', '--workers', '1']);
    expect(await childrenOf(product.pid)).toHaveLength(2);
    expect(await endProcess(product, 'SIGTERM')).toBe(0);
    taken.close();
  }, 60_000);

  it('stops cleanly on SIGTERM', async () => {
    product = await startProcess(env);
    expect(await endProcess(product, 'SIGTERM')).toBe(0);
  });
});
