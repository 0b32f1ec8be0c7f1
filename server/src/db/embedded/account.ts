import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** The system's user that PostgreSQL runs as, where we are root: it refuses to run as root. */
export interface Account {
  uid: number;
  gid: number;
}

const candidates = ['postgres', 'nobody'];

/** The account to run PostgreSQL as; undefined where it runs as ourselves. Throws where root finds no account. */
export function serverAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of candidates) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error(
    `PostgreSQL can't run as root, and there is no user ${candidates.join(' or ')} to run it as.`,
  );
}

/** Whether an account can reach a directory: every directory above it, and itself, must let it through. */
export function canEnter(account: Account, directory: string): boolean {
  for (let path = directory; ; path = dirname(path)) {
    const { mode, uid, gid } = statSync(path);
    const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return false;
    if (path === dirname(path)) return true;
  }
}
