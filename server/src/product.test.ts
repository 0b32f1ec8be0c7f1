import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '#db/embedded/server-process.ts';
import { ShopProgram } from './testing/shop-program.ts';
import { until } from './testing/until.ts';

const run = promisify(execFile);
const main = join(import.meta.dirname, 'main.ts');
const operatorMain = join(import.meta.dirname, 'operator/main.ts');

/** Acknowledged creates that the kill story goes on for; KILLED_CREATES=2000 is the long form. */
const killedCreates = Number(process.env.KILLED_CREATES ?? 300);

let dataDir: string;
let env: NodeJS.ProcessEnv;
let url: string;
let product: ChildProcess;

/** Starts the product as a process, in production mode on the embedded database. */
async function start(environment = env): Promise<ChildProcess> {
  const child = spawn(process.execPath, [main], { env: environment, stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) if (line.includes('Ctrl-C')) break;
  child.stdout.resume();
  return child;
}

async function operator(...args: string[]): Promise<Record<string, string>> {
  return JSON.parse((await run(process.execPath, [operatorMain, ...args, '--json'], { env })).stdout);
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
  return child.exitCode;
}

function killPostmaster(): void {
  const pidFile = readFileSync(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8');
  process.kill(Number(pidFile.split('\n')[0]), 'SIGKILL');
}

const ready = () =>
  fetch(`${url}/readyz`).then(
    ({ status }) => status,
    () => 0,
  );

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'hengfu-process-'));
  // Root's PostgreSQL runs as somebody else, who must be able to enter.
  chmodSync(dataDir, 0o755);
  const port = await freePort(0);
  url = `http://127.0.0.1:${port}`;
  env = {
    ...process.env,
    DATA_DIR: dataDir,
    PORT: String(port),
    METRICS_PORT: '0',
    DEMO: '0',
    APP_KEY: 'ab'.repeat(32),
    LOG_LEVEL: 'silent',
  };
  product = await start();
}, 60_000);

afterAll(async () => {
  if (product.exitCode === null && product.signalCode === null) await end(product, 'SIGTERM');
  rmSync(dataDir, { recursive: true, force: true });
}, 60_000);

describe('the product as a process', () => {
  let program: ShopProgram;

  it('is set up by the operator while it runs, and has no demo sign-in', async () => {
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
      '--password',
      'Acme-pass-2026',
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

  it('loses and doubles nothing when server and database are killed under load', async () => {
    const acknowledged = new Map<string, string>();
    let isOver = false;
    const client = async (name: number) => {
      for (let index = 0; !isOver; index++) {
        const number = `load-${name}-${index}`;
        // A shop tries again under its own number until it is answered.
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
    await end(product, 'SIGKILL');
    product = await start();
    await reach(killedCreates);
    isOver = true;
    await Promise.all(clients);
    for (const [number, tradeNo] of acknowledged) {
      const found = await program.get(`/openapi/v1/collections?out_trade_no=${number}`);
      expect([found.status, found.json.trade_no]).toEqual([200, tradeNo]);
    }
    expect(await operator('ledger', 'verify')).toMatchObject({ violations: [] });
  }, 400_000);

  it('answers 503 while the database is away, and comes back', async () => {
    killPostmaster();
    const seen = new Set<number>();
    await until(ready, (status) => {
      seen.add(status);
      return seen.has(503) && status === 200;
    });
    expect([...seen].every((status) => status === 503 || status === 200)).toBe(true);
  }, 30_000);

  it('shares its work with a web process and a worker beside it', async () => {
    const ports = [await freePort(0), await freePort(0)];
    const beside = (PROCESS: string, port: number | undefined) =>
      start({ ...env, PROCESS, PORT: String(port), METRICS_PORT: '0' });
    const others = await Promise.all([beside('web', ports[0]), beside('worker', ports[1])]);
    const other = new ShopProgram(`http://127.0.0.1:${ports[0]}`, program.key);
    const { json } = await other.create('beside', { expiresIn: 10 });
    expect((await program.get(`/openapi/v1/collections/${json.trade_no}`)).json).toMatchObject({
      status: 'toBePaid',
    });
    const look = async () => (await other.get(`/openapi/v1/collections/${json.trade_no}`)).json.status;
    expect(await until(look, (status) => status === 'closed', 30_000)).toBe('closed');
    expect(await Promise.all(others.map((child) => end(child, 'SIGTERM')))).toEqual([0, 0]);
  }, 60_000);

  it('is one product on its data: a second one ends with one sentence', async () => {
    const second = await run(process.execPath, [main], { env }).catch((error: { stderr: string }) => error);
    expect(second.stderr.trim().split('\n')).toHaveLength(1);
    expect(second.stderr).toContain('Another Hengfu');
  });

  it('stops cleanly on SIGTERM', async () => {
    expect(await end(product, 'SIGTERM')).toBe(0);
  });
});
