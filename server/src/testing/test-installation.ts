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

/** A migrated, empty database with fsync on, and the product's services on it, for preparing data. */
export interface TestInstallation {
  ownerUrl: string;
  folder: string;
  runtime: Runtime;
  /** Stops it, and deletes its folder unless that is kept for another installation. */
  close(options?: { isKept?: boolean }): Promise<void>;
}

/** An installation on a cluster of its own, and the URL of its superuser. */
export interface EmbeddedInstallation extends TestInstallation {
  superuserUrl: string;
}

/** Creates a folder for an installation; {@link TestInstallation.close} deletes it. */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hengfu-installation-'));
  await chmod(folder, 0o755);
  return folder;
}

/** Starts an embedded PostgreSQL in a new folder, or on the data in an existing one. */
export async function openTestInstallation(folder?: string): Promise<EmbeddedInstallation> {
  return openIn(folder ?? (await newFolder()), {});
}

/** Like {@link openTestInstallation}, with other settings and without fsync, for bulk loading. */
export async function openFastTestInstallation(
  folder: string,
  settings: Record<string, string>,
): Promise<EmbeddedInstallation> {
  return openIn(folder, { settings, durable: false });
}

async function openIn(
  folder: string,
  options: Pick<Parameters<typeof startEmbedded>[0], 'settings' | 'durable'>,
): Promise<EmbeddedInstallation> {
  const cluster = await startEmbedded({ dataDir: join(folder, 'postgres'), log: () => {}, ...options });
  await migrate(cluster.ownerUrl);
  const runtime = await openServices(cluster.ownerUrl, folder);
  return {
    ownerUrl: cluster.ownerUrl,
    superuserUrl: cluster.superuserUrl,
    folder,
    runtime,
    close: async ({ isKept = false } = {}) => {
      await runtime.close();
      await cluster.stop();
      if (!isKept) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Opens the services on a database, whatever its schema. `demo` allows callbacks to this machine. */
export function openServices(
  ownerUrl: string,
  folder: string,
  { demo = false }: { demo?: boolean } = {},
): Promise<Runtime> {
  return openRuntime(
    {
      appKey: Buffer.from(testKey, 'hex'),
      appUrl: undefined,
      archiveAfterMonths: undefined,
      auditRoots: undefined,
      dataDir: folder,
      demo,
      previousKey: undefined,
      pooler: undefined,
      replicaUrls: [],
      poolSize: 20,
      storage: undefined,
      title: 'TestInstallation',
    },
    ownerUrl,
    undefined,
    pino({ level: 'silent' }),
  );
}

/** A running product process. */
export interface Served {
  url: string;
  process: ChildProcess;
  stop(): Promise<void>;
}

/** Starts the product, or another version's `main`, on a database; resolves once it prints its URL. */
export async function serve(
  databaseUrl: string,
  folder: string,
  env: NodeJS.ProcessEnv = {},
  main: string = productMain,
): Promise<Served> {
  return startProgram([...nodeFlags, main], {
    APP_KEY: testKey,
    DATABASE_URL: databaseUrl,
    DATA_DIR: join(folder, 'data'),
    DEMO: '0',
    SANDBOX_SERVES: 'all',
    ...env,
  });
}

/** Starts the product of a checkout as `npm start` does, with demo data, in a folder of its own. */
export async function startDemo(folder: string, checkout = root): Promise<Served> {
  return startProgram([join(checkout, 'tools/bootstrap.mjs'), 'start'], { DATA_DIR: join(folder, 'data') });
}

async function startProgram(program: readonly string[], env: NodeJS.ProcessEnv): Promise<Served> {
  const child = spawn(process.execPath, program, {
    env: { ...process.env, LOG_LEVEL: 'warn', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stderr.pipe(process.stderr);
  const url = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk;
      const found = /(?:Console|Staff)\s+(http:\S+)/.exec(text);
      if (found?.[1]) resolve(found[1]);
    });
    child.once('exit', (code) => reject(new Error(`the product exited with ${code}: ${text}`)));
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

/** Runs work in a new folder, and deletes it afterwards. */
export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'hengfu-installation-'));
  await chmod(folder, 0o755);
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
