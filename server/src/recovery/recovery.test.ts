import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import S3rver from '@20minutes/s3rver';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Kit, query, removeSettled } from '#db/embedded/test-kit.ts';
import { DirectoryStore, type ListedStore } from '#files/file-store.ts';
import { S3Store } from '#files/s3-store.ts';
import { readStorageLocation } from '#files/storage-url.ts';
import { until as untilWithin } from '../testing/until.ts';
import { type ArchivedPostgres, startArchived } from './archiving.ts';
import { baseLabel, makeBase } from './base-backup.ts';
import { RecoveryArchive } from './recovery-archive.ts';
import { readHold } from './recovery-hold.ts';
import { type RestoreOptions, restoreCluster } from './restore.ts';
import { verifyArchive } from './verification.ts';
import { positionOf, segmentName } from './wal.rules.ts';

/** A base backup on a busy machine takes its time. */
const patienceMs = 90_000;
const until = <T>(read: () => Promise<T>, isAccepted: (value: T) => boolean) =>
  untilWithin(read, isAccepted, patienceMs);

const kit = new Kit();
const key = randomBytes(32);
const appKeyMark = 'mark';
const running: ArchivedPostgres[] = [];
const warnings: string[] = [];

/** An archive with a base backup, the commit of A, a moment, and the commit of B. */
let archived: { folder: string; between: Date; dataDir: string };
let s3: S3rver;

const folderStore = (folder: string) => new DirectoryStore(folder);

async function start(store: ListedStore, dataDir: string): Promise<ArchivedPostgres> {
  const one = await startArchived({
    dataDir,
    store,
    keys: [key],
    keepDays: 14,
    appKeyMark,
    log: () => {},
    warn: (line) => warnings.push(line),
    settings: { shared_buffers: '16MB' },
  });
  running.push(one);
  return one;
}

async function stop(one: ArchivedPostgres): Promise<void> {
  running.splice(running.indexOf(one), 1);
  await one.stop();
}

function restore(store: ListedStore, options: Partial<RestoreOptions> = {}) {
  const dataDir = options.dataDir ?? kit.openFolder();
  return restoreCluster({
    dataDir,
    store,
    keys: [key],
    target: undefined,
    timeline: undefined,
    system: undefined,
    appKeyMarks: [appKeyMark],
    log: () => {},
    ...options,
  });
}

async function commit({ superuserUrl }: ArchivedPostgres, name: string): Promise<Date> {
  await query(superuserUrl, `insert into mark values ('${name}')`);
  return (await query(superuserUrl, 'select clock_timestamp() as now')).rows[0].now;
}

async function marks({ superuserUrl }: ArchivedPostgres): Promise<string[]> {
  return (await query(superuserUrl, 'select name from mark order by name')).rows.map(({ name }) => name);
}

/** Starts a cluster on a store, makes marks around a moment, and stops it, which archives its last segment. */
async function makeHistory(store: ListedStore): Promise<{ between: Date; dataDir: string }> {
  const dataDir = await kit.settledFolder();
  const one = await start(store, dataDir);
  await query(one.superuserUrl, 'create table mark (name text)');
  await until(async () => one.archiving().newestBaseAt, Boolean);
  const between = await commit(one, 'A');
  await query(one.superuserUrl, 'select pg_switch_wal()');
  await commit(one, 'B');
  await stop(one);
  return { between, dataDir };
}

/** Copies the archive, so that a test may change it. */
function copyOfArchive(): string {
  const folder = kit.closedFolder();
  cpSync(archived.folder, folder, { recursive: true });
  return folder;
}

const systemOf = (folder: string) => readdirSync(folder)[0]?.split('.')[0] ?? expect.fail('empty');

/** Lists the segments in an archive's folder, with their keys. */
const segments = (folder: string) =>
  readdirSync(folder)
    .filter((name) => /\.wal\.[0-9A-F]{24}$/.test(name))
    .sort();

beforeAll(async () => {
  const folder = kit.closedFolder();
  archived = { folder, ...(await makeHistory(folderStore(folder))) };
  s3 = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    allowMismatchedSignatures: true,
    directory: kit.closedFolder(),
    configureBuckets: [{ name: 'hengfu' }],
  });
}, 2 * patienceMs);
afterEach(async () => {
  for (const one of running.splice(0)) await one.stop();
  warnings.length = 0;
}, patienceMs);
afterAll(async () => {
  await kit.end();
  removeSettled();
});

describe('a restore', { timeout: 2 * patienceMs }, () => {
  it('stops between two commits, holds payouts, and continues on a timeline of its own', async () => {
    const store = folderStore(copyOfArchive());
    const dataDir = kit.openFolder();
    const restored = await restore(store, { dataDir, target: archived.between });
    expect(restored).toMatchObject({ isTargetReached: true, timeline: 1, newTimeline: 2 });
    expect(restored.recoveredTo.getTime()).toBeLessThanOrEqual(archived.between.getTime());
    expect(readHold(dataDir)?.recoveredTo).toEqual(restored.recoveredTo);
    const again = await start(store, dataDir);
    expect(await marks(again)).toEqual(['A']);
  });

  it('follows the timeline that it is asked for, and refuses to guess while another may be newer', async () => {
    const folder = copyOfArchive();
    const store = folderStore(folder);
    const dataDir = kit.openFolder();
    await restore(store, { dataDir, target: archived.between });
    const first = await start(store, dataDir);
    await until(
      async () => first.archiving().newestBaseAt,
      (made) => made !== undefined && made > archived.between,
    );
    const afterC = await commit(first, 'C');
    await commit(first, 'D');
    await stop(first);
    expect(readdirSync(folder).filter((name) => name.endsWith('.history'))).toHaveLength(1);
    const archive = new RecoveryArchive(systemOf(folder), { store, keys: [key] });
    const last = segments(folder).findLast((name) => name.includes('.wal.00000001')) ?? '';
    const beyond = segmentName(1, positionOf(last.split('.').at(-1) ?? '') + 1n);
    await archive.putWal(beyond, Buffer.from('what the original wrote after the branch'));
    await expect(restore(store, { target: afterC })).rejects.toThrow(
      `The newest timeline, 2, does not contain the segment ${beyond} of timeline 1, which may be newer: choose with --timeline.`,
    );
    await archive.removeWal(beyond);
    const second = kit.openFolder();
    expect(await restore(store, { dataDir: second, target: afterC })).toMatchObject({
      timeline: 2,
      newTimeline: 3,
    });
    expect(await marks(await start(store, second))).toEqual(['A', 'C']);
    const histories = async () => readdirSync(folder).filter((name) => name.endsWith('.history')).length;
    await until(histories, (count) => count === 2);
    const old = kit.openFolder();
    expect(await restore(store, { dataDir: old, timeline: 1 })).toMatchObject({
      timeline: 1,
      newTimeline: 4,
    });
    expect(await marks(await start(folderStore(kit.closedFolder()), old))).toEqual(['A', 'B']);
    // With the first base backup alone, the restore crosses the fork. PostgreSQL alone would take the segment of timeline 1
    // for the missing one, and replay B.
    const manifests = readdirSync(folder).filter((name) => name.endsWith('.manifest'));
    for (const later of manifests.sort().slice(1)) rmSync(join(folder, later));
    const [first2 = ''] = segments(folder).filter((name) => name.includes('.wal.00000002'));
    rmSync(join(folder, first2));
    await expect(restore(store, { timeline: 2, target: afterC })).rejects.toThrow(
      /the segment 00000002\w{16} is missing from the archive, which continues with 00000002/,
    );
    for (const rest of segments(folder).filter((name) => name.includes('.wal.00000002')))
      rmSync(join(folder, rest));
    await expect(restore(store, { timeline: 2, target: afterC })).rejects.toThrow(
      'the first of its timeline, is missing from the archive: choose another with --timeline',
    );
  });

  it('to a moment after the end restores everything, and says so', async () => {
    const dataDir = kit.openFolder();
    const store = folderStore(copyOfArchive());
    const restored = await restore(store, { dataDir, target: new Date(Date.now() + 86_400_000) });
    expect(restored.isTargetReached).toBe(false);
    expect(restored.recoveredTo.getTime()).toBeGreaterThan(archived.between.getTime());
    expect(await marks(await start(store, dataDir))).toEqual(['A', 'B']);
  });

  it('to a moment before the oldest base backup is refused with that moment, and leaves nothing', async () => {
    const dataDir = kit.openFolder();
    await expect(
      restore(folderStore(archived.folder), { dataDir, target: new Date('2026-01-01T00:00:00Z') }),
    ).rejects.toThrow(/cannot reach 2026-01-01T00:00:00\.000Z: its oldest base backup is complete as of 20/);
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it('refuses a directory with a database, another WAL_ARCHIVE_KEY and another APP_KEY', async () => {
    const store = folderStore(archived.folder);
    await expect(restore(store, { dataDir: archived.dataDir })).rejects.toThrow('There is a database in');
    await expect(restore(store, { keys: [randomBytes(32)] })).rejects.toThrow(
      /encrypted with the key .*WAL_ARCHIVE_KEY is/,
    );
    await expect(restore(store, { appKeyMarks: ['other'] })).rejects.toThrow('under a different APP_KEY');
    await expect(restore(folderStore(kit.closedFolder()))).rejects.toThrow('The archive has no files');
  });

  it('fails by the name of a segment that was changed, swapped or removed', async () => {
    const changed = copyOfArchive();
    const last = segments(changed).at(-1) ?? expect.fail('no segment');
    const before = segments(changed).at(-2) ?? expect.fail('one segment only');
    const content = readFileSync(join(changed, last));
    content.writeUInt8(content.readUInt8(200) ^ 1, 200);
    writeFileSync(join(changed, last), content);
    const dataDir = kit.openFolder();
    await expect(restore(folderStore(changed), { dataDir })).rejects.toThrow(`${last} is damaged`);
    expect(existsSync(join(dataDir, 'cluster'))).toBe(false);
    const swapped = copyOfArchive();
    cpSync(join(swapped, before), join(swapped, last));
    await expect(restore(folderStore(swapped))).rejects.toThrow(`${last} is damaged`);
    const gap = copyOfArchive();
    rmSync(join(gap, before));
    await expect(restore(folderStore(gap))).rejects.toThrow(
      `the segment ${before.split('.').at(-1)} is missing from the archive, which continues with ${last.split('.').at(-1)}`,
    );
    const shrinking = new (class extends DirectoryStore {
      override async get(key: string) {
        return key === last ? undefined : super.get(key);
      }
    })(copyOfArchive());
    await expect(restore(shrinking)).rejects.toThrow(
      `${last.split('.').at(-1)} was removed from the archive during the restore`,
    );
  });
});

describe('an archive', { timeout: 2 * patienceMs }, () => {
  it('is verified as a whole', async () => {
    const folder = copyOfArchive();
    const archive = new RecoveryArchive(systemOf(folder), { store: folderStore(folder), keys: [key] });
    expect(await verifyArchive(archive)).toMatchObject({ bases: 1, faults: [] });
    const [base] = await archive.readBases();
    const removed = [base?.firstSegment, segments(folder).at(-2)?.split('.').at(-1)];
    for (const name of new Set(removed)) rmSync(join(folder, `${archive.system}.wal.${name}`));
    const tar = readdirSync(folder).find((name) => name.endsWith('.tar')) ?? '';
    writeFileSync(join(folder, tar), readFileSync(join(folder, tar)).subarray(0, -1));
    expect((await verifyArchive(archive)).faults).toEqual([
      expect.stringContaining(`${tar} is damaged`),
      ...[...new Set(removed)].map((name) => `the segment ${name} is missing`),
    ]);
  });

  it('accepts the same segment again, and refuses another content under its name', async () => {
    const folder = copyOfArchive();
    const store = folderStore(folder);
    const archive = new RecoveryArchive(systemOf(folder), { store, keys: [key] });
    const name = segments(folder)[0]?.split('.').at(-1) ?? '';
    const content = (await archive.readWal(name)) ?? expect.fail('missing');
    await archive.putWal(name, content);
    await expect(archive.putWal(name, Buffer.alloc(content.length))).rejects.toThrow(
      `${name} is already in the archive with different content`,
    );
    expect((await archive.readWal(name))?.equals(content)).toBe(true);
  });

  it('that cannot be written keeps the segments in pg_wal, and gets them once it can', async () => {
    const folder = kit.closedFolder();
    const store = folderStore(folder);
    let isAway = false;
    const failing: ListedStore = {
      get: (name, range) => store.get(name, range),
      list: (prefix) => store.list(prefix),
      delete: (name) => store.delete(name),
      put: (name, content) =>
        isAway ? Promise.reject(new Error('the bucket is away')) : store.put(name, content),
    };
    const one = await start(failing, await kit.settledFolder());
    await query(one.superuserUrl, 'create table mark (name text)');
    await until(async () => one.archiving().newestBaseAt, Boolean);
    isAway = true;
    const stored = segments(folder).length;
    await commit(one, 'A');
    await query(one.superuserUrl, 'select pg_switch_wal()');
    const failures = () =>
      query(one.superuserUrl, 'select failed_count::integer as count from pg_stat_archiver').then(
        ({ rows }) => rows[0].count,
      );
    await until(failures, (count) => count > 0);
    expect(one.archiving().waitingSegments).toBe(1);
    expect(segments(folder)).toHaveLength(stored);
    expect(warnings.join()).toContain('a WAL segment was not archived, retrying: the bucket is away');
    isAway = false;
    await until(
      async () => one.archiving().waitingSegments,
      (count) => count === 0,
    );
    expect(segments(folder).length).toBeGreaterThan(stored);
  });

  it('loses an interrupted base backup after a day, and counts none without its manifest', async () => {
    const folder = copyOfArchive();
    const store = folderStore(folder);
    const archive = new RecoveryArchive(systemOf(folder), { store, keys: [key] });
    const old = '20260101T000000Z-abcdef01';
    const crashed = '20260101T000000Z-abcdef03';
    const young = `${baseLabel(new Date())}-abcdef02`;
    const part = `${archive.system}.base.${crashed}.tar.part`;
    writeFileSync(join(folder, part), 'what a crash leaves');
    for (const label of [old, young])
      await store.put(`${archive.system}.base.${label}.tar`, Readable.from([]));
    expect(await archive.list()).toMatchObject({ unfinished: [old, crashed, young] });
    expect(await archive.readBases()).toHaveLength(1);
    await start(store, archived.dataDir);
    await until(
      async () => (await archive.list()).unfinished,
      (unfinished) => unfinished.length === 1,
    );
    expect(await archive.list()).toMatchObject({ unfinished: [young] });
    expect(existsSync(join(folder, part))).toBe(false);
  });

  it('gets a new base backup after a run without archiving, because WAL is missing', async () => {
    const folder = kit.closedFolder();
    const dataDir = await kit.settledFolder();
    const bases = () => readdirSync(folder).filter((name) => name.endsWith('.manifest')).length;
    const first = await start(folderStore(folder), dataDir);
    await query(first.superuserUrl, 'create table mark (name text)');
    await until(
      async () => bases(),
      (count) => count === 1,
    );
    await stop(first);
    await stop(await start(folderStore(folder), dataDir));
    expect(bases()).toBe(1);
    const without = await kit.start(dataDir);
    const incomplete = makeBase({
      archive: new RecoveryArchive(systemOf(folder), { store: folderStore(folder), keys: [key] }),
      superuserUrl: without.superuserUrl,
      cluster: without.location.cluster,
      appKeyMark,
      isUrgent: true,
    });
    await expect(incomplete).rejects.toThrow(/the segment \w{24} that it needs is not archived/);
    expect(bases()).toBe(1);
    await query(without.superuserUrl, 'insert into mark select g from generate_series(1, 9) g');
    await query(without.superuserUrl, 'select pg_switch_wal()');
    await query(without.superuserUrl, `insert into mark values ('unarchived')`);
    await query(without.superuserUrl, 'checkpoint');
    await without.stop();
    const again = await start(folderStore(folder), dataDir);
    await until(
      async () => bases(),
      (count) => count === 2,
    );
    await stop(again);
    const archive = new RecoveryArchive(systemOf(folder), { store: folderStore(folder), keys: [key] });
    expect(await verifyArchive(archive)).toMatchObject({
      faults: [],
      remarks: expect.arrayContaining([
        expect.stringMatching(/^the segment 0{7}1\w{16} is missing, and a newer base backup follows it/),
      ]),
    });
    const restored = kit.openFolder();
    await restore(folderStore(folder), { dataDir: restored });
    expect(await marks(await start(folderStore(kit.closedFolder()), restored))).toContain('unarchived');
  });

  it('works in a bucket', async () => {
    const { port } = await s3.run();
    try {
      const location = readStorageLocation(
        `s3+http://S3RVER:S3RVER@127.0.0.1:${port}/hengfu?region=us-east-1`,
      );
      const store = new S3Store(location ?? expect.fail('not a storage URL'), 'recovery');
      const { between } = await makeHistory(store);
      await store.put('1.wal.000000010000000000000001', Readable.from([Buffer.from('of another database')]));
      await expect(restore(store)).rejects.toThrow('files of several databases');
      await store.delete('1.wal.000000010000000000000001');
      const dataDir = kit.openFolder();
      await restore(store, { dataDir, target: between });
      expect(await marks(await start(store, dataDir))).toEqual(['A']);
      for (const one of running.splice(0)) await one.stop();
    } finally {
      await s3.close();
    }
  });
});
