import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Obstacle } from '@hengfu/server/testing/obstacle.ts';
import { findRelease, git, type Release } from './release-history.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
/** Installed versions stay here, by commit, for the next run. Node.js runs no TypeScript below a node_modules. */
const cache = join(root, '.versions');

/** A version of the product that is ready to run. */
export interface InstalledVersion {
  readonly version: string;
  /** Path of its entry. */
  readonly main: string;
  /** Path of the entry of its operator commands. */
  readonly operatorMain: string;
  /** File names of its migrations. */
  readonly migrations: readonly string[];
}

/** Installs the release before this state of the sources, with the dependencies of its own lock file. */
export async function previousVersion(): Promise<InstalledVersion | Obstacle> {
  const release = await findRelease(root);
  if ('kind' in release) return release;
  const home = join(cache, release.commit);
  const obstacle = existsSync(home) ? undefined : await install(release, home);
  if (obstacle) return obstacle;
  const files = await readdir(join(home, 'server/migrations'));
  return {
    version: release.version,
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

/** Puts sources and packages into a folder, which is there only once both are whole. */
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
    // Another run may have been quicker.
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
