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
const serverProgram = join(import.meta.dirname, '../../server/src/main.ts');

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
    { appKey: Buffer.from(appKey, 'hex'), appUrl: undefined, demo: false },
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
  const child = spawn(process.execPath, [serverProgram], {
    env: {
      ...process.env,
      APP_KEY: appKey,
      DATABASE_URL: databaseUrl,
      DATA_DIR: join(folder, 'data'),
      DEMO: '0',
      LOG_LEVEL: 'warn',
      PORT: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk;
      const found = /http:\/\/\S+?:\d+/.exec(text);
      if (found) resolve(found[0]);
    });
    child.once('exit', (code) => reject(new Error(`the product ended with ${code}: ${text}`)));
  });
  return {
    url,
    process: child,
    stop: async () => {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
