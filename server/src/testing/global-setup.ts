import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmbedded } from '#db/embedded/embedded.ts';
import { lockHolder } from '#db/embedded/lock.ts';
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

/** The folder may be in memory, which a gigabyte of old WAL should not take up. */
const settings = { max_wal_size: '512MB' };

/** Starts one PostgreSQL for the run, or uses TEST_DATABASE_URL, and migrates a template to clone. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const own = process.env.TEST_DATABASE_URL;
  const parent = process.env.TEST_FOLDER ?? tmpdir();
  await removeLeftovers(parent);
  const folder = await mkdtemp(join(parent, 'hengfu-test-'));
  // For root, PostgreSQL runs as another user, who needs access.
  await chmod(folder, 0o755);
  const cluster = own
    ? { ownerUrl: own, stop: async () => {} }
    : await startEmbedded({ dataDir: join(folder, 'postgres'), durable: false, log: () => {}, settings });
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

const hourMs = 3_600_000;
/** Some folders have no lock, and a long torture may be using them. */
const dayMs = 24 * hourMs;
/** The folders that tests make for databases; nobody else's data is called so. */
const madeByTests = /^hengfu-(?:test|failover|e2e|embedded|settled|installation|standby|backup)-\w{6}$/;

/** Removes the databases that killed runs have left: in memory they would stay until the machine restarts. */
async function removeLeftovers(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!madeByTests.test(name)) continue;
    const folder = join(parent, name);
    // Another run may remove its own meanwhile. One that begins has no lock yet.
    const changedMs = (await stat(folder).catch(() => undefined))?.mtimeMs ?? Date.now();
    const dataDirs = [folder, join(folder, 'postgres')].filter((each) => existsSync(each));
    const restMs = existsSync(join(folder, 'postgres')) ? hourMs : dayMs;
    if (Date.now() - changedMs > restMs && dataDirs.every((each) => lockHolder(each) === undefined))
      // It may belong to another user.
      await rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => {});
  }
}

async function startPooler(ownerUrl: string): Promise<Pooler> {
  const program = findProgram('pgbouncer');
  if (!program) throw new Error('TEST_POOLER needs PgBouncer (Debian: apt-get install pgbouncer)');
  return startPgbouncer(program, ownerUrl, await ensureLogin(ownerUrl, Buffer.from(testKey, 'hex')));
}
