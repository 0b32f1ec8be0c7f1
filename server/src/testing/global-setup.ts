import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbedded } from '#db/embedded/embedded.ts';
import { ensureLogin } from '#db/login.ts';
import { migrate } from '#db/migrate.ts';
import { findProgram } from './obstacle.ts';
import { type Pooler, startPgbouncer } from './pgbouncer.ts';
import { templateName, testKey } from './test-database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    ownerUrl: string;
    /** The data directory of the tests' own cluster; undefined where they run on a database of yours. */
    clusterFolder: string | undefined;
    /** Every product of the run goes through it where TEST_POOLER=1 asks for one. */
    pooler: { url: string; prepares: boolean } | undefined;
  }
}

/** One PostgreSQL for the whole run (or your own, by TEST_DATABASE_URL), with a migrated template to clone. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const own = process.env.TEST_DATABASE_URL;
  const folder = await mkdtemp(join(tmpdir(), 'hengfu-test-'));
  // Root's PostgreSQL runs as somebody else, who must be able to enter.
  await chmod(folder, 0o755);
  const place = own
    ? { ownerUrl: own, stop: async () => {} }
    : await startEmbedded({ dataDir: join(folder, 'postgres'), durable: false, log: () => {} });
  const client = new pg.Client({ connectionString: place.ownerUrl });
  await client.connect();
  await client.query(`drop database if exists ${templateName} with (force)`);
  await client.query(`create database ${templateName}`);
  await client.end();
  const template = new URL(place.ownerUrl);
  template.pathname = templateName;
  await migrate(template.href);
  project.provide('ownerUrl', place.ownerUrl);
  project.provide('clusterFolder', own ? undefined : join(folder, 'postgres'));
  const pooler = process.env.TEST_POOLER ? await startPooler(place.ownerUrl) : undefined;
  project.provide('pooler', pooler && { url: pooler.url, prepares: pooler.prepares });
  return async () => {
    await pooler?.stop();
    await place.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
}

async function startPooler(ownerUrl: string): Promise<Pooler> {
  const program = findProgram('pgbouncer');
  if (!program) throw new Error('TEST_POOLER needs PgBouncer (Debian: apt-get install pgbouncer)');
  return startPgbouncer(program, ownerUrl, await ensureLogin(ownerUrl, Buffer.from(testKey, 'hex')));
}
