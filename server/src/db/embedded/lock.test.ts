import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { DataDirInUseError, lockDirectory, lockHolder } from './lock.ts';
import { startOf } from './process-table.ts';
import { Kit } from './test-kit.ts';

const kit = new Kit();
afterEach(() => kit.end());

/** Writes the lock of a process that has ended. */
async function leaveDeadLock(...folders: string[]): Promise<void> {
  const child = spawn(process.execPath, ['-e', '']);
  const start = startOf(child.pid ?? 0);
  await once(child, 'exit');
  for (const folder of folders) writeFileSync(join(folder, 'server.lock'), `${child.pid} ${start} dead`);
}

describe('the lock of a data directory', () => {
  it('is held until it is released', () => {
    const folder = kit.closedFolder();
    const unlock = lockDirectory(folder);
    expect(() => lockDirectory(folder)).toThrow(DataDirInUseError);
    expect(lockHolder(folder)).toBe(process.pid);
    unlock();
    expect(lockHolder(folder)).toBeUndefined();
    lockDirectory(folder)();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is respected if an earlier version has written it', () => {
    const folder = kit.closedFolder();
    writeFileSync(join(folder, 'server.lock'), `${process.pid} ${startOf(process.pid).split('@')[0]}`);
    expect(() => lockDirectory(folder)).toThrow(DataDirInUseError);
  });

  it('is taken over from a dead process, from a reused process ID, and if a power cut has emptied it', async () => {
    const folder = kit.closedFolder();
    await leaveDeadLock(folder);
    lockDirectory(folder)();
    for (const content of [`${process.pid} 1@another-boot reused`, '']) {
      writeFileSync(join(folder, 'server.lock'), content);
      lockDirectory(folder)();
    }
    expect(readdirSync(folder)).toEqual([]);
  });

  it('goes to only one of the processes that find a dead lock at the same time', async () => {
    const folder = kit.closedFolder();
    const rounds = Array.from({ length: 300 }, (_, round) => join(folder, String(round)));
    for (const round of rounds) mkdirSync(round);
    await leaveDeadLock(...rounds);
    const script = `import { existsSync } from 'node:fs';
      import { lockDirectory } from ${JSON.stringify(join(import.meta.dirname, 'lock.ts'))};
      console.log('ready');
      while (!existsSync(${JSON.stringify(join(folder, 'go'))}));
      const isTaken = (round) => { try { lockDirectory(round); return true; } catch { return false; } };
      console.log(JSON.stringify(${JSON.stringify(rounds)}.filter(isTaken)));
      setInterval(() => {}, 1000);`;
    const racers = Array.from({ length: 4 }, () => kit.runScript(script));
    await Promise.all(racers.map(({ line }) => line()));
    writeFileSync(join(folder, 'go'), '');
    // All stay alive until each has tried, so a lock that one has taken is never dead.
    const taken = (await Promise.all(racers.map(({ line }) => line()))).flatMap((list) => JSON.parse(list));
    expect(taken.sort()).toEqual([...rounds].sort());
  });
});
