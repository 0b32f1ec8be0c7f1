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

/** The location of a cluster, and its owner. */
export interface ClusterLocation {
  /** Contains the cluster and, if they had to be copied, the binaries. */
  home: string;
  /** PGDATA. Does not exist before the first start. */
  cluster: string;
  account: Account | undefined;
}

/** Stored in a data directory whose cluster is elsewhere. */
interface LocationNote {
  home: string;
  /** The data directory that it was written for: a copy of it must not use the same cluster. */
  of: string;
}

const noteFile = 'place.json';

/**
 * Finds the location of a data directory's cluster. An existing cluster stays where it is, whatever has
 * changed around it. A new one goes into the data directory or, if root's PostgreSQL cannot enter that, into
 * a directory of its own, which the data directory records. Throws if the cluster is gone or can no longer be
 * entered.
 */
export function findCluster(directory: string, log: (line: string) => void): ClusterLocation {
  const dataDir = realpathSync(directory);
  const note = readNote(dataDir);
  const isCopy = note !== undefined && belongsToOther(note, dataDir);
  const known = isCopy ? dataDir : (note?.home ?? dataDir);
  if (existsSync(join(known, 'cluster'))) {
    if (known !== dataDir) writeNote(dataDir, known);
    return locationOfCluster(known);
  }
  if (!isCopy && readAccess(dataDir)?.port) {
    throw new Error(
      `The database of ${dataDir} is gone: there is no ${join(known, 'cluster')}. Restore it, or remove ${dataDir} to start with an empty one.`,
    );
  }
  // The copied passwords belong to the original's cluster, not to the one that is created now.
  if (isCopy) forgetAccess(dataDir);
  const account = serverAccount();
  if (!account || canEnter(account, dataDir))
    return { home: dataDir, cluster: join(dataDir, 'cluster'), account };
  // If the first start was interrupted after it had written its note, use the location in the note.
  const home = known !== dataDir && existsSync(known) ? known : makeHome(account, dataDir, log);
  return { home, cluster: join(home, 'cluster'), account };
}

function locationOfCluster(home: string): ClusterLocation {
  const cluster = join(home, 'cluster');
  const owner = statSync(cluster);
  const account = serverAccount(owner);
  if (account && !canEnter(account, home)) {
    throw new Error(
      `The database is in ${home}, and the user it runs as can't enter that directory any more. Let others pass through it and all directories above it (chmod o+x).`,
    );
  }
  // Root has copied it from elsewhere, but the server's user must own it.
  if (account && owner.uid !== account.uid) giveTo(account, cluster);
  // A copied or unpacked cluster may be open to others, in which case PostgreSQL would not start.
  if ((owner.mode & 0o077) !== 0) chmodSync(cluster, 0o700);
  return { home, cluster, account };
}

/** Creates a directory for a new cluster, which the account can enter. */
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
      // Not writable: try the next one.
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

/** Its name is unpredictable, so nobody can have created the directory before us. */
function makeTemporaryHome(base: string): string {
  const home = mkdtempSync(join(base, 'hengfu-'));
  chmodSync(home, 0o755);
  return home;
}

/** Creates a directory that others can pass through, whatever the umask. */
function makeOpen(directory: string): string {
  mkdirSync(directory);
  chmodSync(directory, 0o755);
  return directory;
}

function readNote(dataDir: string): LocationNote | undefined {
  const file = join(dataDir, noteFile);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

function writeNote(dataDir: string, home: string): void {
  const note: LocationNote = { home, of: dataDir };
  writeFileSync(join(dataDir, noteFile), JSON.stringify(note), { mode: 0o600, flush: true });
}

/** Whether a note was copied: the data directory it was written for still has the same note. */
function belongsToOther(note: LocationNote, dataDir: string): boolean {
  return note.of !== dataDir && readNote(note.of)?.home === note.home;
}
