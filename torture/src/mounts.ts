import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { missingProgram, needsRoot, type Obstacle } from '@hengfu/server/testing/obstacle.ts';

/** Runs a system program. Throws with its stderr if it fails. */
export const run = promisify(execFile);

/** Mounts a small tmpfs, which fills up like any other file system. */
export async function mountMemory(folder: string, sizeKiB: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  await run('mount', ['-t', 'tmpfs', '-o', `size=${sizeKiB}k,mode=755`, 'tmpfs', folder]);
}

/** Unmounts a folder, even while it is in use. */
export async function unmount(folder: string): Promise<void> {
  await run('umount', ['--lazy', folder]);
}

/** Returns why nothing can be mounted here; undefined if it can. */
export async function obstacleToMounts(): Promise<Obstacle | undefined> {
  const obstacle = needsRoot ?? missingProgram('mount', 'mount') ?? missingProgram('fallocate', 'util-linux');
  if (obstacle) return obstacle;
  const folder = await mkdtemp(join(tmpdir(), 'hengfu-mount-'));
  try {
    await mountMemory(folder, 64);
    await unmount(folder);
    return undefined;
  } catch (error) {
    return refusalOfSystem(error);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Failures of commands that a container or its kernel may forbid. */
const privileged = /^(mount|umount) |OSError/m;

/**
 * Reads the failure of a probe as a missing privilege: the system refused to mount, or refused the kernel's
 * own call. Rethrows any other error, since a mistake of the torture must not look like a machine that cannot
 * run it.
 */
export function refusalOfSystem(error: unknown): Obstacle {
  if (!(error instanceof Error && 'cmd' in error)) throw error;
  if (!privileged.test(`${error.cmd}\n${error.message}`)) throw error;
  return { kind: 'privilege', reason: `the system refuses: ${error.message.trim()}` };
}

const ballastName = 'ballast';

/** Fills a file system, except for `leftBytes`; {@link freeSpace} undoes it. */
export async function fill(folder: string, leftBytes = 0): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const bytes = Math.max(bavail * bsize - leftBytes, 0);
  await run('fallocate', ['--length', String(bytes || 1), join(folder, ballastName)]).catch(async () => {
    // Others took some of the space in the meantime: writes as much as fits.
    await writeFile(join(folder, ballastName), Buffer.alloc(bytes)).catch(() => undefined);
  });
}

/** Deletes the ballast. */
export async function freeSpace(folder: string): Promise<void> {
  await rm(join(folder, ballastName), { force: true });
}
