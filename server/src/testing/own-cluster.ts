import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readAccess } from '#db/embedded/access.ts';
import { type EmbeddedPostgres, startEmbedded } from '#db/embedded/embedded.ts';
import { ensureLogin, type Login } from '#db/login.ts';
import { migrate } from '#db/migrate.ts';
import { asOwner } from '#db/owner.ts';
import { firstTestMerchant } from './placements.ts';
import { ask } from './standby.ts';
import { templateName, testKey } from './test-database.ts';

/** A migrated cluster of one test file, which may stop it, fence it and fail over from it. */
export interface OwnCluster {
  dataDir: string;
  ownerUrl: string;
  port: number;
  login: Login;
  /** Runs one statement as the superuser, and returns the first value of its first row, if any. */
  ask<T>(statement: string): Promise<T | undefined>;
  stop(): Promise<void>;
  /** Starts it again on the same files and the same port. */
  restart(): Promise<void>;
  /** Stops it and deletes its files. */
  remove(): Promise<void>;
}

/** Starts one, with settings of PostgreSQL that override the product's. */
export async function startOwnCluster(settings: Record<string, string> = {}): Promise<OwnCluster> {
  const folder = await mkdtemp(join(process.env.TEST_FOLDER ?? tmpdir(), 'hengfu-failover-'));
  await chmod(folder, 0o755);
  const dataDir = join(folder, 'postgres');
  const start = () => startEmbedded({ dataDir, durable: false, log: () => {}, settings });
  let running: EmbeddedPostgres = await start();
  const { ownerUrl } = running;
  await migrate(ownerUrl);
  return {
    dataDir,
    ownerUrl,
    port: Number(new URL(ownerUrl).port),
    login: await ensureLogin(ownerUrl, Buffer.from(testKey, 'hex')),
    ask: (statement) => {
      const password = readAccess(dataDir)?.superuserPassword;
      return ask(`postgres://postgres:${password}@127.0.0.1:${new URL(ownerUrl).port}/postgres`, statement);
    },
    stop: () => running.stop(),
    restart: async () => {
      running = await start();
    },
    remove: async () => {
      await running.stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Makes the database on a cluster of its own that every `TestProduct` is a copy of. */
export async function makeTemplate(ownerUrl: string): Promise<void> {
  await asOwner(ownerUrl, (owner) => owner.query(`create database ${templateName}`));
  const template = new URL(ownerUrl);
  template.pathname = templateName;
  await migrate(template.href);
  await asOwner(template.href, (owner) =>
    owner.query(`alter table merchant alter column id restart with ${firstTestMerchant}`),
  );
}

/** Returns the URL with several ports of loopback instead of its one. */
export function urlOfPorts(url: string, ports: readonly number[]): string {
  const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',');
  return url.replace(/@[^/]+\//, `@${hosts}/`);
}
