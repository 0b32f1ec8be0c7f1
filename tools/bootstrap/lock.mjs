import { linkSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { SetupError, say } from './say.mjs';

const heartbeatMs = 2_000;
/** Without a heartbeat for this long the holder is gone, even if another process has its ID by now. */
const staleAfterMs = 30_000;
const pollMs = 200;

/**
 * Runs an action while holding a lock file. Waits until no other process holds it.
 * @param {string} path
 * @param {() => Promise<void>} action
 */
export async function withLock(path, action) {
  await acquire(path);
  const heartbeat = setInterval(() => touch(path), heartbeatMs);
  try {
    await action();
  } finally {
    clearInterval(heartbeat);
    rmSync(path, { force: true });
  }
}

/** @param {string} path */
function touch(path) {
  try {
    utimesSync(path, new Date(), new Date());
  } catch {
    // Someone removed the lock file by hand.
  }
}

/** @param {string} path */
async function acquire(path) {
  for (let isFirstTry = true; !tryAcquire(path); isFirstTry = false) {
    const holder = readHolder(path);
    if (holder === undefined) continue;
    if (isStale(holder)) removeStale(path, holder);
    else {
      if (isFirstTry) say(`another installation is in progress (process ${holder.pid}), waiting for it …`);
      await sleep(pollMs);
    }
  }
}

/** @param {string} path */
function tryAcquire(path) {
  try {
    writeFileSync(path, `${process.pid} ${hostname()}`, { flag: 'wx' });
    return true;
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === 'EEXIST') return false;
    throw new SetupError(
      `can’t write ${path} (${code}). Run as the directory’s owner, or in a directory of your own.`,
    );
  }
}

/**
 * Reads who holds the lock; undefined if it has been released in the meantime.
 * @param {string} path
 */
function readHolder(path) {
  try {
    const text = readFileSync(path, 'utf8');
    const [pid = '', host = ''] = text.split(' ');
    return { text, pid: Number(pid), host, ageMs: Date.now() - statSync(path).mtimeMs };
  } catch {
    return undefined;
  }
}

/** @param {{ pid: number, host: string, ageMs: number }} holder */
function isStale({ pid, host, ageMs }) {
  if (ageMs > staleAfterMs) return true;
  // A holder in another container shares the files but not the process IDs: only its heartbeat counts.
  if (pid === 0 || host !== hostname()) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'ESRCH';
  }
}

/**
 * Removes a stale lock. Two waiters may find it: the slower one must not remove the new lock of the other.
 * @param {string} path
 * @param {{ text: string }} stale
 */
function removeStale(path, stale) {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
    if (readFileSync(aside, 'utf8') !== stale.text) linkSync(aside, path);
  } catch {
    // Another waiter was faster; the next attempt reads the current state.
  }
  rmSync(aside, { force: true });
}
