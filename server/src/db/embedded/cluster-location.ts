import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { forgetAccess, readAccess } from './access.ts';
import { type Account, canEnter, giveTo, serverAccount } from './account.ts';

/** Where a cluster lives, and whose it is. */
export interface ClusterLocation {
  /** Holds the cluster and, where they had to be copied, the binaries. */
  home: string;
  /** PGDATA; missing before the first start. */
  cluster: string;
  account: Account | undefined;
}

/** What a data directory remembers of a cluster that is kept elsewhere. */
interface Note {
  home: string;
  /** The data directory it was written for: a copy of it must not take the same cluster. */
  of: string;
}

const noteFile = 'place.json';

/**
 * Finds the place of a data directory's cluster. A cluster that was made is found where it is, whatever may have
 * changed around it; a new one is made in the data directory itself, or where root's PostgreSQL can't enter that, in a
 * place of its own that the data directory remembers. Throws where the cluster is gone or can't be entered any more.
 */
export function findCluster(directory: string, log: (line: string) => void): ClusterLocation {
  const dataDir = realpathSync(directory);
  const note = readNote(dataDir);
  const isCopy = note !== undefined && isOthers(note, dataDir);
  const known = isCopy ? dataDir : (note?.home ?? dataDir);
  if (existsSync(join(known, 'cluster'))) {
    if (known !== dataDir) writeNote(dataDir, known);
    return locationOfCluster(known);
  }
  if (!isCopy && readAccess(dataDir)?.port) {
    throw new Error(
      `The database of ${dataDir} is gone: there is no ${join(known, 'cluster')}. Bring it back, or remove ${dataDir} to begin with an empty one.`,
    );
  }
  // What came with the copy opens another's cluster, never the one that is made now.
  if (isCopy) forgetAccess(dataDir);
  const account = serverAccount();
  if (!account || canEnter(account, dataDir))
    return { home: dataDir, cluster: join(dataDir, 'cluster'), account };
  // A first start that came no further than its note goes on in the same place.
  const home = known !== dataDir && existsSync(known) ? known : makeHome(account, dataDir, log);
  return { home, cluster: join(home, 'cluster'), account };
}

function locationOfCluster(home: string): ClusterLocation {
  const cluster = join(home, 'cluster');
  const owner = statSync(cluster);
  const account = serverAccount(owner);
  if (account && !canEnter(account, home)) {
    throw new Error(
      `The database is in ${home}, and the user it runs as can't enter that directory any more. Let others pass through it, and through those above it (chmod o+x).`,
    );
  }
  // Root has copied it from somewhere else: it is the server's user who must own it.
  if (account && owner.uid !== account.uid) giveTo(account, cluster);
  // A copy, or what came out of an archive, may be open to others: PostgreSQL would not start on it.
  if ((owner.mode & 0o077) !== 0) chmodSync(cluster, 0o700);
  return { home, cluster, account };
}

/** A new place for a cluster that the account can enter. */
function makeHome(account: Account, dataDir: string, log: (line: string) => void): string {
  for (const make of [
    makeLibraryHome,
    () => makeTemporaryHome('/var/tmp'),
    () => makeTemporaryHome(tmpdir()),
  ]) {
    try {
      const home = make();
      if (!canEnter(account, home)) continue;
      writeNote(dataDir, home);
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

function makeLibraryHome(): string {
  const base = '/var/lib/hengfu';
  if (!existsSync(base)) makeOpen(base);
  return makeOpen(join(base, randomBytes(8).toString('hex')));
}

/** The name can't be foreseen: nobody can have put a directory of theirs in its place. */
function makeTemporaryHome(base: string): string {
  const home = mkdtempSync(join(base, 'hengfu-'));
  chmodSync(home, 0o755);
  return home;
}

/** Makes a directory that others can pass through, whatever the umask. */
function makeOpen(directory: string): string {
  mkdirSync(directory);
  chmodSync(directory, 0o755);
  return directory;
}

function readNote(dataDir: string): Note | undefined {
  const file = join(dataDir, noteFile);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

function writeNote(dataDir: string, home: string): void {
  const note: Note = { home, of: dataDir };
  writeFileSync(join(dataDir, noteFile), JSON.stringify(note), { mode: 0o600, flush: true });
}

/** Whether a note came here with a copy: the data directory that it was written for is there and still says the same. */
function isOthers(note: Note, dataDir: string): boolean {
  return note.of !== dataDir && readNote(note.of)?.home === note.home;
}
