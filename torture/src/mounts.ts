import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { missingProgram, needsRoot, type Obstacle } from '@hengfu/server/testing/obstacle.ts';

/** Runs a program of the system; what it said to its errors is in what it throws. */
export const run = promisify(execFile);

/** Mounts a small file system that lives in memory, open to everybody; it is full as any other. */
export async function mountMemory(folder: string, sizeKiB: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  await run('mount', ['-t', 'tmpfs', '-o', `size=${sizeKiB}k,mode=755`, 'tmpfs', folder]);
}

/** Takes a mount away, however busy it is. */
export async function unmount(folder: string): Promise<void> {
  await run('umount', ['--lazy', folder]);
}

/** Why nothing can be mounted here; undefined where it can. */
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

/** Commands that fail where a container or its kernel forbids them. */
const privileged = /^(mount|umount) |OSError/m;

/**
 * Reads the failure of a probe as a missing privilege: the system refused to mount, or refused the kernel's own call.
 * Rethrows any other error, since a mistake of the torture must not look like a machine that cannot run it.
 */
export function refusalOfSystem(error: unknown): Obstacle {
  if (!(error instanceof Error && 'cmd' in error)) throw error;
  if (!privileged.test(`${error.cmd}\n${error.message}`)) throw error;
  return { kind: 'privilege', reason: `the system refuses: ${error.message.trim()}` };
}

const ballastName = 'ballast';

/** Fills a file system but for some space; {@link makeRoom} gives all of it back. */
export async function fill(folder: string, leftBytes = 0): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const bytes = Math.max(bavail * bsize - leftBytes, 0);
  await run('fallocate', ['--length', String(bytes || 1), join(folder, ballastName)]).catch(async () => {
    // What others took in that moment is missing for it: whatever fits, then.
    await writeFile(join(folder, ballastName), Buffer.alloc(bytes)).catch(() => undefined);
  });
}

/** Takes the ballast away. */
export async function makeRoom(folder: string): Promise<void> {
  await rm(join(folder, ballastName), { force: true });
}
