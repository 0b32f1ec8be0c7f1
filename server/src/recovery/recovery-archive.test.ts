import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DirectoryStore } from '#files/file-store.ts';
import { RecoveryArchive } from './recovery-archive.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hengfu-archive-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const key = randomBytes(32);
const archiveWith = (...keys: [Buffer, ...Buffer[]]) =>
  new RecoveryArchive('7', { store: new DirectoryStore(folder), keys });

/** Declares base backups complete, with a key. */
async function declare(sealing: Buffer, ...days: number[]): Promise<void> {
  for (const day of days)
    await archiveWith(sealing).putManifest({
      format: 1,
      label: `day-${day}`,
      startedAt: new Date(Date.UTC(2026, 0, day)).toISOString(),
      stoppedAt: new Date(Date.UTC(2026, 0, day, 1)).toISOString(),
      timeline: 1,
      firstSegment: '000000010000000000000001',
      lastSegment: '000000010000000000000002',
      postgres: 18,
      appKeyMark: 'mark',
      backupLabel: '',
      files: 1,
      bytes: 1,
      sha256: '',
    });
}

async function read(...keys: [Buffer, ...Buffer[]]) {
  const faults: string[] = [];
  const bases = await archiveWith(...keys).readBases(({ message }) => faults.push(message));
  return { labels: bases.map(({ label }) => label), faults };
}

it('leaves out base backups whose manifest is damaged or was sealed with a key that is gone, and names them', async () => {
  await declare(key, 3, 1, 2);
  await declare(randomBytes(32), 4);
  const damaged = join(folder, '7.base.day-2.manifest');
  writeFileSync(damaged, readFileSync(damaged).subarray(0, -1));
  expect(await read(key)).toEqual({
    labels: ['day-1', 'day-3'],
    faults: [
      expect.stringContaining('day-2.manifest is damaged'),
      expect.stringContaining('day-4.manifest was encrypted with the key'),
    ],
  });
});

it('is refused if no manifest can be read', async () => {
  await declare(key, 1);
  await expect(read(randomBytes(32))).rejects.toThrow('Set the key that it was written with');
});
