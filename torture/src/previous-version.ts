import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

/**
 * The version that the upgrade begins with, until there are tags: before payouts were taken by one statement of the
 * database (migration 0033), so that what changed most is between the two.
 */
const commit = 'dcdfb1f23aef58f550770a5c2a41ae0398ff8b09';
const workspaces = ['phrases', 'contract', 'server', 'sandbox'];

const git = (...args: string[]) => run('git', ['-C', root, ...args], { maxBuffer: 2 ** 26 });

/** Why its sources can't be had here; undefined where they can. */
export async function whyNoPreviousVersion(): Promise<string | undefined> {
  try {
    const { stdout } = await git('show', `${commit}:server/package.json`);
    const { dependencies } = JSON.parse(await readFile(join(root, 'server/package.json'), 'utf8'));
    return JSON.stringify(JSON.parse(stdout).dependencies) === JSON.stringify(dependencies)
      ? undefined
      : 'the previous version has other dependencies than those that are installed';
  } catch {
    return `the history of the sources is not here, or not back to ${commit} (a shallow clone, an archive)`;
  }
}

/** Its sources in a folder of their own, with the packages that are installed; returns its entry. */
export async function previousVersion(folder: string): Promise<string> {
  const home = join(folder, 'previous');
  const archive = join(folder, 'previous.tar');
  await mkdir(join(home, 'node_modules/@hengfu'), { recursive: true });
  await git('archive', '--output', archive, commit, 'package.json', ...workspaces);
  await run('tar', ['-xf', archive, '-C', home]);
  const installed = join(root, 'node_modules');
  for (const name of await readdir(installed))
    if (name !== '@hengfu') await symlink(join(installed, name), join(home, 'node_modules', name));
  for (const name of workspaces) await symlink(join(home, name), join(home, 'node_modules/@hengfu', name));
  return join(home, 'server/src/main.ts');
}
