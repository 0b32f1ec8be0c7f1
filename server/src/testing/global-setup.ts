import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmbedded } from '#db/embedded/embedded.ts';
import { ensureLogin } from '#db/login.ts';
import { migrate } from '#db/migrate.ts';
import { asOwner } from '#db/owner.ts';
import { findProgram } from './obstacle.ts';
import { type Pooler, startPgbouncer } from './pgbouncer.ts';
import { firstTestMerchant } from './placements.ts';
import { dropDatabase, templateName, testKey } from './test-database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    ownerUrl: string;
    /** Data directory of the tests' own cluster; undefined with TEST_DATABASE_URL. */
    clusterFolder: string | undefined;
    /** The pooler in front of every product of the run; undefined without TEST_POOLER=1. */
    pooler: { url: string; prepares: boolean } | undefined;
  }
}

/** Starts one PostgreSQL for the run, or uses TEST_DATABASE_URL, and migrates a template to clone. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const own = process.env.TEST_DATABASE_URL;
  const folder = await mkdtemp(join(tmpdir(), 'hengfu-test-'));
  // For root, PostgreSQL runs as another user, who needs access.
  await chmod(folder, 0o755);
  const cluster = own
    ? { ownerUrl: own, stop: async () => {} }
    : await startEmbedded({ dataDir: join(folder, 'postgres'), durable: false, log: () => {} });
  await dropDatabase(cluster.ownerUrl, templateName);
  await asOwner(cluster.ownerUrl, (client) => client.query(`create database ${templateName}`));
  const template = new URL(cluster.ownerUrl);
  template.pathname = templateName;
  await migrate(template.href);
  await asOwner(template.href, (owner) =>
    owner.query(`alter table merchant alter column id restart with ${firstTestMerchant}`),
  );
  project.provide('ownerUrl', cluster.ownerUrl);
  project.provide('clusterFolder', own ? undefined : join(folder, 'postgres'));
  const pooler = process.env.TEST_POOLER ? await startPooler(cluster.ownerUrl) : undefined;
  project.provide('pooler', pooler && { url: pooler.url, prepares: pooler.prepares });
  return async () => {
    await pooler?.stop();
    await cluster.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
}

async function startPooler(ownerUrl: string): Promise<Pooler> {
  const program = findProgram('pgbouncer');
  if (!program) throw new Error('TEST_POOLER needs PgBouncer (Debian: apt-get install pgbouncer)');
  return startPgbouncer(program, ownerUrl, await ensureLogin(ownerUrl, Buffer.from(testKey, 'hex')));
}
