import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Obstacle } from '@hengfu/server/testing/obstacle.ts';
import { findRelease, git, type Release } from './release-history.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
/** Installed versions, by commit, for later runs. Node.js runs no TypeScript in node_modules. */
const cache = join(root, '.versions');

/** A version of the product that is ready to run. */
export interface InstalledVersion {
  readonly version: string;
  /** Path of its entry point. */
  readonly main: string;
  /** Path of the entry point of its operator commands. */
  readonly operatorMain: string;
  /** File names of its migrations. */
  readonly migrations: readonly string[];
  /** Deletes a version that was made for one run. */
  remove?(): Promise<void>;
}

/** Two versions; the second can migrate a database of the first. */
export interface VersionPair {
  readonly before: InstalledVersion;
  readonly after: InstalledVersion;
}

/**
 * Returns the previous release and the current sources. If that release has other migrations in its baseline,
 * its data cannot be upgraded: then returns the current sources and a copy of them with more migrations.
 */
export async function versionPair(): Promise<VersionPair | Obstacle> {
  const release = await findRelease(root);
  if ('kind' in release) return release;
  const here = await versionAt('this state', root);
  const { stdout } = await git(root, 'ls-tree', '-r', '--name-only', release.commit, 'server/migrations/');
  const earlier = stdout.split('\n').filter((path) => /^server\/migrations\/[^/]+\.sql$/.test(path));
  const isUpgradable = earlier.every((path) =>
    here.migrations.includes(path.slice('server/migrations/'.length)),
  );
  if (!isUpgradable) return { before: here, after: await nextVersion() };
  const before = await installRelease(release);
  return 'kind' in before ? before : { before, after: here };
}

/** Changes typical of a release: columns, also of partitioned tables, and an index that is built under concurrent writes. */
const nextMigrations: Readonly<Record<string, string>> = {
  '9001_torture.sql': `alter table payout add column torture text;
alter table collection add column torture boolean not null default false;
alter table ledger_entry add column torture text;
alter table payout_event add column torture boolean not null default false;
`,
  '9002_torture.sql': `-- alone: payouts are created meanwhile
create index concurrently payout_by_torture on payout (merchant_id, torture);
`,
  '9003_torture.sql': `-- alone: payouts are created meanwhile
create index concurrently payout_event_by_torture on payout_event (merchant_id, torture);
`,
};

/** Copies the current sources and adds migrations. */
async function nextVersion(): Promise<InstalledVersion> {
  await mkdir(cache, { recursive: true });
  const home = await mkdtemp(join(cache, 'next-'));
  for (const part of ['package.json', 'server', 'contract', 'phrases'])
    await cp(join(root, part), join(home, part), {
      recursive: true,
      filter: (path) => !/\/(node_modules|dist)$/.test(path),
    });
  await symlink(join(root, 'node_modules'), join(home, 'node_modules'));
  for (const [name, text] of Object.entries(nextMigrations))
    await writeFile(join(home, 'server/migrations', name), text);
  return { ...(await versionAt('the next version', home)), remove: () => rm(home, { recursive: true }) };
}

/** Installs a release with the dependencies of its own lock file. */
async function installRelease(release: Release): Promise<InstalledVersion | Obstacle> {
  const home = join(cache, release.commit);
  const obstacle = existsSync(home) ? undefined : await install(release, home);
  if (obstacle) return obstacle;
  return versionAt(release.version, home);
}

async function versionAt(version: string, home: string): Promise<InstalledVersion> {
  const files = await readdir(join(home, 'server/migrations'));
  return {
    version,
    main: join(home, 'server/src/main.ts'),
    operatorMain: join(home, 'server/src/operator/main.ts'),
    migrations: files.filter((name) => name.endsWith('.sql')),
  };
}

const networkCode =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT|E50\d)\b/;
const npmArguments = [
  'ci',
  '--workspace=@hengfu/server',
  '--ignore-scripts',
  '--omit=dev',
  '--prefer-offline',
];

/** Installs sources and packages into a folder, which appears only once both are complete. */
async function install({ version, commit }: Release, home: string): Promise<Obstacle | undefined> {
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'new-'));
  try {
    const archive = join(folder, 'sources.tar');
    await git(root, 'archive', '--output', archive, commit);
    await run('tar', ['-xf', archive, '-C', folder]);
    await rm(archive);
    const path = [dirname(process.execPath), process.env.PATH].join(delimiter);
    const env = { ...process.env, PATH: path };
    await run('npm', [...npmArguments, '--no-audit', '--no-fund'], { cwd: folder, env });
    // A concurrent run may have installed it first.
    if (!existsSync(home)) await rename(folder, home);
    return undefined;
  } catch (error) {
    const code = networkCode.exec(error instanceof Error ? error.message : '')?.[0];
    if (code === undefined) throw error;
    return { kind: 'network', reason: `the packages of ${version} cannot be fetched (${code})` };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
