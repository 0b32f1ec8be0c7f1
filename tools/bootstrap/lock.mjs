import { linkSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { SetupError, say } from './say.mjs';

const heartbeatMs = 2_000;
/** Without a heartbeat for this long the holder is gone, or the machine was restarted and its process number is another's. */
const staleAfterMs = 30_000;
const pollMs = 200;

/**
 * Runs an action while no other process that asks for the same lock file runs its own; waits for them.
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
    // Removed by hand: nothing to keep alive.
  }
}

/** @param {string} path */
async function acquire(path) {
  for (let isFirstTry = true; !tryAcquire(path); isFirstTry = false) {
    const holder = readHolder(path);
    if (holder === undefined) continue;
    if (isStale(holder)) removeStale(path, holder);
    else {
      if (isFirstTry) say(`another installation is under way (process ${holder.pid}), waiting for it …`);
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
 * Who holds the lock; undefined when it was given back in the meantime.
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
  // A holder in another container shares the files but not the process numbers: only its heartbeat tells.
  if (pid === 0 || host !== hostname()) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'ESRCH';
  }
}

/**
 * Two waiters may find the same dead lock: the slower one must not remove what the faster one has put there since.
 * @param {string} path
 * @param {{ text: string }} dead
 */
function removeStale(path, dead) {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
    if (readFileSync(aside, 'utf8') !== dead.text) linkSync(aside, path);
  } catch {
    // Someone else was faster; the next try sees what is there now.
  }
  rmSync(aside, { force: true });
}
