import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive, startOf } from './process-table.ts';

/** Another product is using the data directory. */
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
  /** Distinguishes this acquisition of the lock from every other. */
  token: string;
}

/**
 * Locks a directory for this process. Returns the function that releases it. Takes over the lock of a dead
 * process, even if its ID was reused or the machine was restarted.
 */
export function lockDirectory(dataDir: string): () => void {
  return take(join(dataDir, 'server.lock'), dataDir);
}

/** Returns the ID of the process that holds a directory. */
export function lockHolder(dataDir: string): number | undefined {
  const holder = read(join(dataDir, 'server.lock'));
  return holder && isRunning(holder) ? holder.pid : undefined;
}

function take(file: string, dataDir: string): () => void {
  const mine = { pid: process.pid, start: startOf(process.pid), token: randomBytes(6).toString('hex') };
  const prepared = `${file}.${mine.token}.new`;
  writeFileSync(prepared, `${mine.pid} ${mine.start} ${mine.token}`);
  try {
    // Written first and then linked, so nobody ever sees a partial lock.
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
 * Replaces a dead process's lock. Only the holder of a lock on that dead lock may do so. Otherwise two
 * processes that found it dead could each remove the lock that the other has just taken. Returns false if
 * another process was faster.
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

/** Reads a lock. A damaged one, written during a power cut, names no process that could be running. */
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
  // The first version did not append the boot ID to the start.
  const now = startOf(pid);
  return now === start || now.startsWith(`${start}@`);
}
