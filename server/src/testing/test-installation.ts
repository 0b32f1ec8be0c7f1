import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { openRuntime, type Runtime } from '#composition/runtime.ts';
import { startEmbedded } from '#db/embedded/embedded.ts';
import { migrate } from '#db/migrate.ts';
import nodeFlags from '../../node-flags.json' with { type: 'json' };
import { productMain } from './product-process.ts';
import { testKey } from './test-database.ts';

const root = join(import.meta.dirname, '../../..');

/** A database with fsync on, migrated and empty, and the product's own services on it to prepare data with. */
export interface TestInstallation {
  ownerUrl: string;
  folder: string;
  runtime: Runtime;
  /** Stops it; its folder goes, too, unless it is kept for another installation. */
  close(options?: { isKept?: boolean }): Promise<void>;
}

/** A folder for a installation, which {@link TestInstallation.close} takes away. */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hengfu-installation-'));
  await chmod(folder, 0o755);
  return folder;
}

/** Starts an embedded PostgreSQL in a folder of its own, or on what a folder holds. */
export async function openTestInstallation(folder?: string): Promise<TestInstallation> {
  return openIn(folder ?? (await newFolder()), {});
}

/** The same with other settings, for filling it: nothing waits for the disk. */
export async function openFastTestInstallation(
  folder: string,
  settings: Record<string, string>,
): Promise<TestInstallation> {
  return openIn(folder, { settings, durable: false });
}

async function openIn(
  folder: string,
  options: Pick<Parameters<typeof startEmbedded>[0], 'settings' | 'durable'>,
): Promise<TestInstallation> {
  const place = await startEmbedded({ dataDir: join(folder, 'postgres'), log: () => {}, ...options });
  await migrate(place.ownerUrl);
  const runtime = await openServices(place.ownerUrl, folder);
  return {
    ownerUrl: place.ownerUrl,
    folder,
    runtime,
    close: async ({ isKept = false } = {}) => {
      await runtime.close();
      await place.stop();
      if (!isKept) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The product's own services on a database, whatever its schema is. `demo`: callbacks may go to this machine. */
export function openServices(
  ownerUrl: string,
  folder: string,
  { demo = false }: { demo?: boolean } = {},
): Promise<Runtime> {
  return openRuntime(
    {
      appKey: Buffer.from(testKey, 'hex'),
      appUrl: undefined,
      dataDir: folder,
      demo,
      previousKey: undefined,
      pooler: undefined,
      replicaUrl: undefined,
      poolSize: 20,
      storage: undefined,
      title: 'TestInstallation',
    },
    ownerUrl,
    undefined,
    pino({ level: 'silent' }),
  );
}

/** The product as a process of its own. */
export interface Served {
  url: string;
  process: ChildProcess;
  stop(): Promise<void>;
}

/** Starts the product over a database, or another version's entry; resolves when it says where it runs. */
export async function serve(
  databaseUrl: string,
  folder: string,
  env: NodeJS.ProcessEnv = {},
  main: string = productMain,
): Promise<Served> {
  return started([...nodeFlags, main], {
    APP_KEY: testKey,
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
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stderr.pipe(process.stderr);
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
  const folder = await mkdtemp(join(tmpdir(), 'hengfu-installation-'));
  await chmod(folder, 0o755);
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
