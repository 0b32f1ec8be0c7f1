import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { crc32 } from 'node:zlib';
import { imageTypes, maxImageBytes } from '@hengfu/contract/images';
import fc from 'fast-check';
import sharp from 'sharp';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { greyPng } from '#demo/picture.ts';
import { heavyPicture } from '../testing/heavy-picture.ts';
import { until } from '../testing/until.ts';
import { imageQueue, rewriteImage } from './images.ts';

const png = greyPng(24, 16, (x, y) => (x * 11 + y * 7) % 256);
const jpeg = await sharp(png).jpeg().toBuffer();
/** Content that must not survive re-encoding, such as scripts, locations or names. */
const stowaway = '<?php stowaway';
const type = fc.constantFrom(...imageTypes);

/** Files that are not pictures, are damaged pictures, or claim to be pictures. */
const files = fc.oneof(
  fc.uint8Array({ maxLength: 400 }),
  // A picture with something appended.
  fc
    .tuple(fc.constantFrom(png, jpeg), fc.uint8Array({ maxLength: 100 }))
    .map(([file, rest]) => Buffer.concat([file, Buffer.from(stowaway), rest])),
  // The first bytes of a picture, followed by anything.
  fc
    .tuple(fc.constantFrom(png, jpeg), fc.nat(60), fc.uint8Array({ maxLength: 400 }))
    .map(([file, kept, rest]) => Buffer.concat([file.subarray(0, kept), rest])),
  fc
    .tuple(fc.constantFrom(png, jpeg), fc.nat(1000))
    .map(([file, kept]) => file.subarray(0, kept % file.length)),
  fc
    .tuple(fc.constantFrom(png, jpeg), fc.array(fc.tuple(fc.nat(1000), fc.nat(255)), { maxLength: 5 }))
    .map(([file, changes]) => {
      const damaged = Buffer.from(file);
      for (const [at, byte] of changes) damaged[at % damaged.length] = byte;
      return damaged;
    }),
  // A header that claims any size, with a correct checksum.
  fc.tuple(fc.nat(0x7fff_ffff), fc.nat(0x7fff_ffff)).map(([width, height]) => {
    const claiming = Buffer.from(png);
    claiming.writeUInt32BE(width, 16);
    claiming.writeUInt32BE(height, 20);
    claiming.writeUInt32BE(crc32(claiming.subarray(12, 29)), 29);
    return claiming;
  }),
);

afterEach(() => void vi.unstubAllEnvs());

describe('any file that is uploaded as a picture', () => {
  it('is rejected or re-encoded', async () => {
    let written = 0;
    await fc.assert(
      fc.asyncProperty(files, type, async (bytes, claimedType) => {
        const kept = await rewriteImage({ bytes: Buffer.from(bytes), type: claimedType }, 'lane');
        if (typeof kept === 'string') return;
        written++;
        expect(kept.bytes.includes(stowaway)).toBe(false);
        expect(kept.bytes.length).toBeLessThanOrEqual(maxImageBytes);
        const { format, exif, icc, xmp, width } = await sharp(kept.bytes, { failOn: 'warning' }).metadata();
        expect([`image/${format}`, exif, icc, xmp]).toEqual([kept.type, undefined, undefined, undefined]);
        expect(width).toBeGreaterThan(0);
        // The result can be re-encoded, so it is intact.
        expect(await rewriteImage(kept, 'lane')).toMatchObject({ type: kept.type });
      }),
      {
        numRuns: 300,
        examples: [
          [png, 'image/png'],
          [jpeg, 'image/jpeg'],
        ],
      },
    );
    expect(written).toBeGreaterThan(1);
  });
});

describe('concurrent pictures', () => {
  it('are decoded one at a time, up to the limits per lane and in all; the rest is rejected', async () => {
    const lanes = Array.from({ length: 40 }, (_, number) => `lane ${number % 8}`);
    const results = await Promise.all(
      lanes.map((lane) => rewriteImage({ bytes: jpeg, type: 'image/jpeg' }, lane)),
    );
    const decoded = results.filter((result) => typeof result !== 'string');
    expect(decoded).toHaveLength(1 + imageQueue.waitingInAll);
    expect(results.filter((result) => result === 'busy')).toHaveLength(lanes.length - decoded.length);
    const ofOne = await Promise.all(
      lanes.map(() => rewriteImage({ bytes: jpeg, type: 'image/jpeg' }, 'one lane')),
    );
    expect(ofOne.filter((result) => result !== 'busy')).toHaveLength(1 + imageQueue.waitingInLane);
  });

  it('are rejected for too many pixels before any is decoded', async () => {
    const claiming = Buffer.from(png);
    claiming.writeUInt32BE(30_000, 16);
    claiming.writeUInt32BE(30_000, 20);
    claiming.writeUInt32BE(crc32(claiming.subarray(12, 29)), 29);
    expect(await rewriteImage({ bytes: claiming, type: 'image/png' }, 'lane')).toBe('tooManyPixels');
  });
});

describe('the decoder', () => {
  /** Finds its process among this one's children; undefined if there is none. */
  const findDecoder = (): number | undefined => {
    const threads = readdirSync('/proc/self/task');
    const children = threads.flatMap((thread) =>
      readFileSync(`/proc/self/task/${thread}/children`, 'utf8').split(' ').filter(Boolean),
    );
    const found = children.find((pid) =>
      readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('image-decoder'),
    );
    return found === undefined ? undefined : Number(found);
  };

  it('loses only the picture that crashes it', async () => {
    const dying = rewriteImage({ bytes: await heavyPicture(), type: 'image/jpeg' }, 'lane');
    const next = rewriteImage({ bytes: jpeg, type: 'image/jpeg' }, 'lane');
    const pid = await until(
      async () => findDecoder(),
      (found) => found !== undefined,
      5000,
    );
    process.kill(pid ?? 0, 'SIGKILL');
    expect(await dying).toBe('unreadable');
    expect(await next).toMatchObject({ type: 'image/jpeg' });
  });

  it('gives way to other work, in its session and among sessions', async () => {
    await rewriteImage({ bytes: jpeg, type: 'image/jpeg' }, 'lane');
    const pid = findDecoder() ?? 0;
    const threads = readdirSync(`/proc/${pid}/task`);
    expect(threads.length).toBeGreaterThan(1);
    const named = (thread: string) => readFileSync(`/proc/${pid}/task/${thread}/comm`, 'utf8').trim();
    for (const thread of threads)
      expect([named(thread), getPriority(Number(thread))]).toEqual([named(thread), 10]);
    const session = `/proc/${pid}/autogroup`;
    // The system may have it wait for others.
    if (existsSync(session))
      await expect.poll(() => readFileSync(session, 'utf8'), { timeout: 2000 }).toMatch(/nice 10\n$/);
  });

  it('has none of the product’s secrets in its environment', async () => {
    vi.stubEnv('APP_KEY', 'a key that nobody may read');
    await rewriteImage({ bytes: jpeg, type: 'image/jpeg' }, 'lane');
    const environment = readFileSync(`/proc/${findDecoder()}/environ`, 'utf8');
    expect(environment).not.toMatch(/APP_KEY|DATABASE_URL|nobody may read/);
    expect(environment).toContain('MALLOC_ARENA_MAX=1');
  });
});
