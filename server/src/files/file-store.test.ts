import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import S3rver from '@20minutes/s3rver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DirectoryStore, type FileStore } from './file-store.ts';
import { S3Store } from './s3-store.ts';
import { readStorageLocation } from './storage-url.ts';

let folder: string;
let s3: S3rver;
const stores: Record<'directory' | 'bucket', FileStore | undefined> = {
  directory: undefined,
  bucket: undefined,
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hengfu-files-'));
  const directory = join(folder, 's3');
  s3 = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: [{ name: 'hengfu' }],
  });
  const { port } = await s3.run();
  stores.directory = new DirectoryStore(join(folder, 'files'));
  const location = readStorageLocation(`s3+http://S3RVER:S3RVER@127.0.0.1:${port}/hengfu?region=us-east-1`);
  stores.bucket = new S3Store(location ?? expect.fail('not a storage URL'));
});
afterAll(async () => {
  await s3.close();
  await rm(folder, { recursive: true, force: true });
});

async function read(store: FileStore, key: string): Promise<Buffer> {
  const found = await store.get(key);
  const chunks: Buffer[] = [];
  for await (const chunk of found?.content ?? []) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  expect(found?.bytes).toBe(bytes.length);
  return bytes;
}

/** Yields random pieces of 64 KiB, then throws if `isBroken`. */
async function* pieces(
  count: number,
  hash: ReturnType<typeof createHash>,
  isBroken = false,
): AsyncGenerator<Buffer> {
  for (let index = 0; index < count; index++) {
    const piece = randomBytes(65_536);
    hash.update(piece);
    yield piece;
  }
  if (isBroken) throw new Error('stream failed');
}

describe.each(['directory', 'bucket'] as const)('a %s', (name) => {
  const store = () => stores[name] ?? expect.fail('not started');

  it.each([1, 400])('stores, returns and deletes a file of %i pieces', async (count) => {
    const hash = createHash('sha256');
    await store().put('E1-1.csv', Readable.from(pieces(count, hash)));
    const bytes = await read(store(), 'E1-1.csv');
    expect(bytes.length).toBe(count * 65_536);
    expect(createHash('sha256').update(bytes).digest()).toEqual(hash.digest());
    await store().delete('E1-1.csv');
    expect(await store().get('E1-1.csv')).toBeUndefined();
    await store().delete('E1-1.csv');
  });

  it('returns a part of a file', async () => {
    await store().put('E3-1.csv', Readable.from([Buffer.from('0123456789')]));
    const found = await store().get('E3-1.csv', { offset: 3, bytes: 4 });
    const chunks: Buffer[] = [];
    for await (const chunk of found?.content ?? []) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString()).toBe('3456');
    expect(await store().get('E3-2.csv', { offset: 0, bytes: 1 })).toBeUndefined();
    await store().delete('E3-1.csv');
  });

  it('keeps nothing of a file whose stream failed', async () => {
    await expect(
      store().put('E2-1.csv', Readable.from(pieces(200, createHash('sha256'), true))),
    ).rejects.toThrow();
    expect(await store().get('E2-1.csv')).toBeUndefined();
  });
});

it('a directory rejects a path as a key, and keeps no partial file', async () => {
  await expect(stores.directory?.get('../secret')).rejects.toThrow('not a valid file key');
  expect(await readdir(join(folder, 'files'))).toEqual([]);
});

it('a directory keeps two files of one key apart while both are written, and finds what is left of them', async () => {
  const store = stores.directory as DirectoryStore;
  const [gate, begun] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow = store.put(
    'E4-1.csv',
    Readable.from(
      (async function* () {
        yield Buffer.from('slow ');
        begun.resolve();
        await gate.promise;
        yield Buffer.from('one');
      })(),
    ),
  );
  await begun.promise;
  await store.put('E4-1.csv', Readable.from([Buffer.from('quick one')]));
  expect((await read(store, 'E4-1.csv')).toString()).toBe('quick one');
  expect([await store.list('E4'), await store.listPartial('E4')]).toEqual([['E4-1.csv'], ['E4-1.csv']]);
  gate.resolve();
  await slow;
  expect((await read(store, 'E4-1.csv')).toString()).toBe('slow one');
  // Left by killed processes, of this version and of an earlier one.
  const parts = ['E4-1.csv.0123456789ab.part', 'E4-1.csv.part', 'E4-1.csv2.0123456789ab.part'];
  for (const name of parts) await writeFile(join(folder, 'files', name), 'half');
  expect((await store.listPartial('E4')).toSorted()).toEqual(['E4-1.csv', 'E4-1.csv2']);
  await store.delete('E4-1.csv');
  expect(await readdir(join(folder, 'files'))).toEqual(['E4-1.csv2.0123456789ab.part']);
  await store.delete('E4-1.csv2');
});

it.each([['ftp://a:b@c/d'], ['s3://c/d'], ['s3://a:b@c'], ['nonsense']])('%s is not a storage URL', (url) =>
  expect(readStorageLocation(url)).toBeUndefined(),
);

it('a storage URL is parsed', () => {
  expect(
    readStorageLocation('s3://key:se%2Fcret@s3.eu-central-1.example.com/bucket?region=eu-central-1'),
  ).toEqual({
    endpoint: 'https://s3.eu-central-1.example.com/bucket',
    region: 'eu-central-1',
    accessKeyId: 'key',
    secretAccessKey: 'se/cret',
  });
});
