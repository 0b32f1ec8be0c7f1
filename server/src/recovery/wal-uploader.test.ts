import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DirectoryStore } from '#files/file-store.ts';
import { until } from '../testing/until.ts';
import { Handover } from './handover.ts';
import { RecoveryArchive } from './recovery-archive.ts';
import { WalUploader } from './wal-uploader.ts';

const segment = '000000010000000000000001';
let home: string;

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'hengfu-uploader-'));
});
afterAll(() => rmSync(home, { recursive: true }));

it('survives that it can neither watch the folder nor tell PostgreSQL, and stores segments once it can', async () => {
  const handover = await Handover.open(home);
  // Writing the mark fails, as it does on a full disk.
  mkdirSync(join(home, 'wal-handover/failing'));
  const cluster = join(home, 'cluster');
  const lines: string[] = [];
  const archive = new RecoveryArchive('1', {
    store: new DirectoryStore(join(home, 'archive')),
    keys: [randomBytes(32)],
  });
  const uploader = new WalUploader({ archive, handover, cluster, log: (line) => lines.push(line) });
  uploader.start();
  await until(
    async () => lines.join(),
    (text) => /does not know that archiving fails: EISDIR.*not archived, retrying: ENOENT/.test(text),
  );
  rmSync(join(home, 'wal-handover/failing'), { recursive: true });
  mkdirSync(join(cluster, 'pg_wal/archive_status'), { recursive: true });
  writeFileSync(join(cluster, 'pg_wal', segment), 'content');
  writeFileSync(join(cluster, 'pg_wal/archive_status', `${segment}.ready`), '');
  await until(
    async () => handover.has(segment),
    (isStored) => isStored,
  );
  expect(String(await archive.readWal(segment))).toBe('content');
  await uploader.stop();
});
