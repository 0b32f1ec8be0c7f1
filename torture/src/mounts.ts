import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

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
export async function obstacleToMounts(): Promise<string | undefined> {
  if (process.getuid?.() !== 0) return 'only root may mount';
  const folder = await mkdtemp(join(tmpdir(), 'hengfu-mount-'));
  try {
    await mountMemory(folder, 64);
    await unmount(folder);
    return undefined;
  } catch (error) {
    return `nothing can be mounted: ${error instanceof Error ? error.message.trim() : error}`;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
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
