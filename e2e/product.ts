import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '@hengfu/tools/free-port';

const root = join(import.meta.dirname, '..');
const run = promisify(execFile);
const startTimeoutMs = 150_000;

/**
 * Writes the demo data once, for all workers: starts the product as a user would the first time, and stops it. Returns the function that
 * deletes what it wrote.
 */
export async function prepareDemo(): Promise<() => void> {
  const dataDir = newDataDir();
  try {
    const stop = await launch(dataDir);
    const code = await stop();
    // After a crash, the files may be incomplete.
    if (code !== 0) throw new Error(`the product that wrote the demo data exited with ${code}`);
  } catch (error) {
    remove(dataDir);
    throw error;
  }
  process.env.E2E_DEMO_DIR = dataDir;
  return () => remove(dataDir);
}

/** Starts the product on a copy of the prepared data; without any, it writes its own. Returns the function that stops it. */
export async function startProduct(): Promise<() => Promise<void>> {
  const dataDir = newDataDir();
  const prepared = process.env.E2E_DEMO_DIR;
  // With owners and modes: PostgreSQL refuses files of others.
  if (prepared) await run('cp', ['-a', `${prepared}/.`, dataDir]);
  const stop = await launch(dataDir);
  process.env.E2E_DATA_DIR = dataDir;
  return async () => {
    await stop();
    remove(dataDir);
  };
}

function newDataDir(): string {
  const dataDir = mkdtempSync(join(process.env.TEST_FOLDER ?? tmpdir(), 'hengfu-e2e-'));
  // If root runs the tests, PostgreSQL runs as another account, which needs access.
  chmodSync(dataDir, 0o755);
  return dataDir;
}

const remove = (folder: string) => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });

/**
 * Starts the product on a data directory, and says where it is by `E2E_URL` and `E2E_STAFF_URL`. Returns the function that stops it, and
 * tells its exit code.
 */
async function launch(dataDir: string): Promise<() => Promise<number | null>> {
  const port = await freePort();
  const env = {
    ...process.env,
    PORT: String(port),
    SANDBOX_PORT: '0',
    METRICS_PORT: '0',
    STAFF_PORT: '0',
    DATA_DIR: dataDir,
    DEMO_AUTOPILOT: '0',
    // Little enough for a story, and more than other stories move.
    FOUR_EYES_FROM: '200',
    LOG_LEVEL: 'warn',
  };
  const product = spawn(process.execPath, ['tools/bootstrap.mjs', 'start'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(product, 'exit');
  const isUp = (async () => {
    for await (const line of createInterface({ input: product.stdout })) {
      process.stdout.write(`  product: ${line}\n`);
      const [, staffUrl] = /^\s+Staff\s+(http:\S+)$/.exec(line) ?? [];
      if (staffUrl !== undefined) process.env.E2E_STAFF_URL = staffUrl;
      if (line.includes('Stop') && line.includes('Ctrl-C')) return true;
    }
    return false;
  })();
  if (!(await Promise.race([isUp, pause(startTimeoutMs, false, { ref: false })]))) {
    product.kill('SIGKILL');
    throw new Error('the product did not start');
  }
  product.stdout.resume();
  process.env.E2E_URL = `http://127.0.0.1:${port}`;
  return async () => {
    product.kill('SIGTERM');
    const [code] = await exited;
    return code;
  };
}
