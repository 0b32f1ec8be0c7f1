import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const root = join(import.meta.dirname, '..');

/** Starts the product as a user would, on a data directory of its own. Returns the function that stops it. */
export async function startProduct(): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(process.env.TEST_FOLDER ?? tmpdir(), 'hengfu-e2e-'));
  // If root runs the tests, PostgreSQL runs as another account, which needs access.
  chmodSync(dataDir, 0o755);
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
  if (!(await isUp)) throw new Error('the product did not start');
  product.stdout.resume();
  process.env.E2E_URL = `http://127.0.0.1:${port}`;
  process.env.E2E_DATA_DIR = dataDir;
  return async () => {
    product.kill('SIGTERM');
    await exited;
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no free port')),
      );
    });
  });
}
