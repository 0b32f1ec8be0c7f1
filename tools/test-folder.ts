import { accessSync, constants, readFileSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';

/** A file system in memory, which every Linux has. */
const memory = '/dev/shm';
/** A run of all tests needs a quarter of it. */
const neededBytes = 4 * 1024 ** 3;

/**
 * Returns the folder for databases of tests. In memory PostgreSQL copies, writes and removes databases for a fifth of the processor time, and
 * waits for no disk; otherwise, or if it has too little room or runs no programs, the system's temporary folder.
 */
export function testFolder(): string {
  return hasRoom() && runsPrograms() ? memory : tmpdir();
}

function hasRoom(): boolean {
  try {
    accessSync(memory, constants.W_OK);
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize > neededBytes && freemem() > neededBytes;
  } catch {
    return false;
  }
}

/** Whether its mount allows programs: for root, PostgreSQL may have to run from a copy beside its data. */
function runsPrograms(): boolean {
  const mount = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .find(([, folder]) => folder === memory);
  return mount !== undefined && !mount[3]?.split(',').includes('noexec');
}
