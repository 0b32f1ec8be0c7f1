import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '@hengfu/server/db/embedded/embedded.ts';
import { migrate } from '@hengfu/server/db/migrate.ts';
import { openRuntime, type Runtime } from '@hengfu/server/runtime.ts';
import pino from 'pino';

const appKey = '0'.repeat(64);
const root = join(import.meta.dirname, '../..');
const serverProgram = join(root, 'server/src/main.ts');

/** A database with fsync on, migrated and empty, and the product's own services on it to prepare data with. */
export interface Bed {
  ownerUrl: string;
  folder: string;
  runtime: Runtime;
  close(): Promise<void>;
}

/** Starts an embedded PostgreSQL in a folder of its own. */
export async function openBed(): Promise<Bed> {
  const folder = await mkdtemp(join(tmpdir(), 'hengfu-bench-'));
  await chmod(folder, 0o755);
  const place = await startEmbedded({ dataDir: join(folder, 'postgres'), log: () => {} });
  await migrate(place.ownerUrl);
  const log = pino({ level: 'silent' });
  const runtime = await openRuntime(
    {
      appKey: Buffer.from(appKey, 'hex'),
      appUrl: undefined,
      dataDir: folder,
      demo: false,
      storage: undefined,
      title: 'Bench',
    },
    place.ownerUrl,
    undefined,
    log,
  );
  return {
    ownerUrl: place.ownerUrl,
    folder,
    runtime,
    close: async () => {
      await runtime.close();
      await place.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The product as a process of its own. */
export interface Served {
  url: string;
  process: ChildProcess;
  stop(): Promise<void>;
}

/** Starts the product over a database; resolves when it says where it runs. */
export async function serve(
  databaseUrl: string,
  folder: string,
  env: NodeJS.ProcessEnv = {},
): Promise<Served> {
  return started([serverProgram], {
    APP_KEY: appKey,
    DATABASE_URL: databaseUrl,
    DATA_DIR: join(folder, 'data'),
    DEMO: '0',
    ...env,
  });
}

/** Starts the product as `npm start` does, with demo data, in a folder of its own. */
export async function startDemo(folder: string): Promise<Served> {
  return started([join(root, 'tools/bootstrap.mjs'), 'start'], { DATA_DIR: join(folder, 'data') });
}

async function started(program: readonly string[], env: NodeJS.ProcessEnv): Promise<Served> {
  const child = spawn(process.execPath, program, {
    env: { ...process.env, LOG_LEVEL: 'warn', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk;
      const found = /Console\s+(http:\S+)/.exec(text);
      if (found?.[1]) resolve(found[1]);
    });
    child.once('exit', (code) => reject(new Error(`the product ended with ${code}: ${text}`)));
  });
  return {
    url,
    process: child,
    stop: async () => {
      if (child.exitCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** Does work in a folder of its own, which is gone afterwards. */
export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'hengfu-bench-'));
  await chmod(folder, 0o755);
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
