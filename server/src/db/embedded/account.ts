import { chownSync, lchownSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The system user that PostgreSQL runs as when we are root, because it refuses to run as root. */
export interface Account {
  uid: number;
  gid: number;
}

const candidates = ['postgres', 'nobody'];

/**
 * Returns the account to run PostgreSQL as; undefined if it runs as ourselves. An existing cluster keeps the
 * account that created it, whatever users the machine has gained since. Throws if root finds no account.
 */
export function serverAccount(clusterOwner?: Account): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  if (clusterOwner && clusterOwner.uid !== 0) return { uid: clusterOwner.uid, gid: clusterOwner.gid };
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of candidates) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    // Unsigned, because some systems write the number of nobody as -2.
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 };
  }
  throw new Error(
    `PostgreSQL can't run as root, and there is no user ${candidates.join(' or ')} to run it as.`,
  );
}

/** Whether an account can reach a directory: the directory and all above it must let it pass. */
export function canEnter(account: Account, directory: string): boolean {
  for (let path = directory; ; path = dirname(path)) {
    const { mode, uid, gid } = statSync(path);
    const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return false;
    if (path === dirname(path)) return true;
  }
}

/** Makes the account own a directory of ours and everything in it. */
export function giveTo(account: Account | undefined, directory: string): void {
  if (!account) return;
  chownSync(directory, account.uid, account.gid);
  for (const entry of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    lchownSync(join(directory, entry), account.uid, account.gid);
  }
}
