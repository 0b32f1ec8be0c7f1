import { closeSync, type ReadStream } from 'node:fs';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { StatementSpool } from './spool.ts';

const mebibyte = 1024 ** 2;
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hengfu-spool-'));
});
afterAll(() => rm(folder, { recursive: true }));

const bodyOf = (bytes: Buffer) => Readable.from([bytes], { objectMode: false });
const spoolWith = (options: object = {}) => new StatementSpool({ folder, ...options });

it('keeps one file of a channel at a time, until it is closed, also if it was refused', async () => {
  const spool = spoolWith();
  const first = await spool.receive('CN_BANK', bodyOf(Buffer.from('one')));
  await expect(spool.receive('CN_BANK', bodyOf(Buffer.from('two')))).rejects.toMatchObject({
    code: 'statement_loading',
  });
  const other = await spool.receive('VN_NAPAS', bodyOf(Buffer.from('three')));
  expect((await buffer(Readable.from(first.chunks()))).toString()).toBe('one');
  await first.close();
  await expect(spool.receive('CN_BANK', bodyOf(Buffer.from([0x1f, 0x8b, 1, 2])))).rejects.toMatchObject({
    fault: 'unpacking',
  });
  await (await spool.receive('CN_BANK', bodyOf(Buffer.from('two')))).close();
  await other.close();
});

it('lets the next file of a channel come even if one could not be closed', async () => {
  const spool = spoolWith();
  const file = await spool.receive('CN_BANK', bodyOf(Buffer.from('one')));
  // The descriptor is gone already, so that closing it fails.
  closeSync((file.chunks() as ReadStream & { fd: number }).fd);
  await expect(file.close()).rejects.toMatchObject({ code: 'EBADF' });
  await (await spool.receive('CN_BANK', bodyOf(Buffer.from('two')))).close();
});

it('of twenty files of a channel at once, receives one', async () => {
  const spool = spoolWith();
  const answers = await Promise.allSettled(
    Array.from({ length: 20 }, () => spool.receive('CN_BANK', bodyOf(Buffer.from('x')))),
  );
  const received = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  expect(received).toHaveLength(1);
  await received[0]?.close();
});

it('stops a file that unpacks to far more than its size, long before the limit of what it may unpack to', async () => {
  let looked = 0;
  const freeBytes = async () => {
    looked++;
    return Number.MAX_SAFE_INTEGER;
  };
  const bomb = gzipSync(Buffer.alloc(200 * mebibyte));
  expect(bomb.length).toBeLessThan(mebibyte);
  const spool = spoolWith({ freeBytes });
  await expect(spool.receive('CN_BANK', bodyOf(bomb))).rejects.toMatchObject({ fault: 'tooLarge' });
  // Space was looked up once for each 16 MiB, so this is how much was written.
  expect(looked).toBeLessThan(4);
  // Real statements are repetitive, too.
  const lines = Array.from({ length: 400_000 }, (_, at) => `2026-01-31,P${at * 7919},100.00,CNY,ok\n`).join(
    '',
  );
  await (await spool.receive('CN_BANK', bodyOf(gzipSync(lines)))).close();
});

it('refuses before it receives if the disk is nearly full, and stops when it becomes so', async () => {
  const full = spoolWith({ freeBytes: async () => 1023 * mebibyte });
  const body = bodyOf(Buffer.from('x'));
  await expect(full.receive('CN_BANK', body)).rejects.toMatchObject({ code: 'unavailable' });
  expect(body.readableDidRead).toBe(false);
  let free = 1100 * mebibyte;
  const filling = spoolWith({
    freeBytes: async () => {
      free -= 40 * mebibyte;
      return free;
    },
  });
  const chunks = Array.from({ length: 200 }, () => Buffer.alloc(mebibyte, 'x'));
  const large = Readable.from(chunks, { objectMode: false });
  await expect(filling.receive('CN_BANK', large)).rejects.toMatchObject({ code: 'unavailable' });
  expect(await readdir(folder)).toEqual([]);
});

it('deletes what a dead process left, and nothing else', async () => {
  const [left, young, foreign] = ['hengfu-statement-1', 'hengfu-statement-2', 'another-file'];
  for (const name of [left, young, foreign]) await writeFile(join(folder, name), 'x');
  const earlier = new Date(Date.now() - 7_200_000);
  for (const name of [left, foreign]) await utimes(join(folder, name), earlier, earlier);
  await spoolWith().clean();
  expect((await readdir(folder)).sort()).toEqual([foreign, young]);
});
