import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive, startOf } from './process-table.ts';

/** Another product works on the data directory. */
export class DataDirInUseError extends Error {
  constructor(dataDir: string, pid: number) {
    super(
      `Another Hengfu (process ${pid}) is running on ${dataDir}. Stop it, or name another directory with DATA_DIR.`,
    );
  }
}

interface Holder {
  pid: number;
  start: string;
  /** Tells one taking of a lock from every other. */
  token: string;
}

/**
 * Takes a directory for this process; returns what gives it back. A lock whose process is gone is taken over, also
 * when its number has gone to another process since, or the machine was started anew.
 */
export function lockDirectory(dataDir: string): () => void {
  return take(join(dataDir, 'server.lock'), dataDir);
}

/** The process that holds a directory now. */
export function lockHolder(dataDir: string): number | undefined {
  const holder = read(join(dataDir, 'server.lock'));
  return holder && isRunning(holder) ? holder.pid : undefined;
}

function take(file: string, dataDir: string): () => void {
  const mine = { pid: process.pid, start: startOf(process.pid), token: randomBytes(6).toString('hex') };
  const prepared = `${file}.${mine.token}.new`;
  writeFileSync(prepared, `${mine.pid} ${mine.start} ${mine.token}`);
  try {
    // Written first and linked then: nobody ever sees half a lock.
    while (!tryLink(prepared, file)) {
      const holder = read(file);
      if (!holder) continue;
      if (isRunning(holder)) throw new DataDirInUseError(dataDir, holder.pid);
      if (replaceDead(file, holder, prepared, dataDir)) break;
    }
  } finally {
    rmSync(prepared, { force: true });
  }
  return () => {
    if (read(file)?.token === mine.token) rmSync(file, { force: true });
  };
}

/**
 * Puts a lock in a dead one's place. Only who holds the lock on that dead one may do so, else two that found it dead
 * could each remove what the other has just put there. False where somebody else was quicker.
 */
function replaceDead(file: string, dead: Holder, prepared: string, dataDir: string): boolean {
  const release = take(`${file}.${dead.token}`, dataDir);
  try {
    if (read(file)?.token !== dead.token) return false;
    renameSync(prepared, file);
    return true;
  } finally {
    release();
  }
}

function tryLink(prepared: string, file: string): boolean {
  try {
    linkSync(prepared, file);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/** Who a lock names; a damaged one (the power went while it was written) names nobody that could run. */
function read(file: string): Holder | undefined {
  try {
    const [pid, start = '', token = 'damaged'] = readFileSync(file, 'utf8').split(' ');
    return { pid: Number(pid) || 0, start, token };
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

function isRunning({ pid, start }: Holder): boolean {
  if (pid <= 0 || !isAlive(pid)) return false;
  // The first version wrote no boot behind the start.
  const now = startOf(pid);
  return now === start || now.startsWith(`${start}@`);
}
