import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Another product works on the data directory. */
export class DataDirInUseError extends Error {
  constructor(dataDir: string, pid: number) {
    super(
      `Another Hengfu (process ${pid}) is running on ${dataDir}. Stop it, or name another directory with DATA_DIR.`,
    );
  }
}

/** Takes a directory for this process; returns what gives it back. A lock whose process is gone is taken over. */
export function lockDirectory(dataDir: string): () => void {
  const file = join(dataDir, 'server.lock');
  const mine = `${process.pid} ${startOf(process.pid) ?? ''}`;
  for (;;) {
    try {
      writeFileSync(file, mine, { flag: 'wx' });
      return () => rmSync(file, { force: true });
    } catch (error) {
      if (!isThere(error)) throw error;
    }
    const holder = readOrEmpty(file);
    const pid = Number(holder.split(' ')[0]);
    if (isSameProcess(holder)) throw new DataDirInUseError(dataDir, pid);
    takeAway(file, holder);
  }
}

/** Removes a dead lock, unless somebody else has just put a living one in its place. */
function takeAway(file: string, dead: string): void {
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
    if (readOrEmpty(aside) === dead) rmSync(aside, { force: true });
    else renameSync(aside, file);
  } catch {
    // Somebody else was quicker: the next look tells.
  }
}

/** Whether the process that wrote a lock still runs: its number may have gone to another since. */
function isSameProcess(holder: string): boolean {
  const [pidText = '', start = ''] = holder.split(' ');
  const pid = Number(pidText);
  return Number.isInteger(pid) && pid > 0 && isAlive(pid) && (startOf(pid) ?? '') === start;
}

/** Whether a process runs. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** When a process started, in clock ticks since boot; undefined where the system does not tell. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Fields are counted from behind the name, which may hold anything.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function isThere(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST';
}
