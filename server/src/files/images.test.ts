import { readdirSync, readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { imageTypes, maxImageBytes } from '@hengfu/contract/images';
import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { greyPng } from '#demo/picture.ts';
import { heavyPicture } from '../testing/heavy-picture.ts';
import { until } from '../testing/until.ts';
import { imageQueue, rewriteImage } from './images.ts';

const png = greyPng(24, 16, (x, y) => (x * 11 + y * 7) % 256);
const jpeg = await sharp(png).jpeg().toBuffer();
/** What may not come along with a picture: scripts, places, names. */
const stowaway = '<?php stowaway';
const type = fc.constantFrom(...imageTypes);

/** Files that are no picture, were one, or say that they are. */
const files = fc.oneof(
  fc.uint8Array({ maxLength: 400 }),
  // A picture, and something behind its end.
  fc
    .tuple(fc.constantFrom(png, jpeg), fc.uint8Array({ maxLength: 100 }))
    .map(([file, rest]) => Buffer.concat([file, Buffer.from(stowaway), rest])),
  // The first bytes of a picture, and whatever behind them.
  fc
    .tuple(fc.constantFrom(png, jpeg), fc.nat(60), fc.uint8Array({ maxLength: 400 }))
    .map(([file, kept, rest]) => Buffer.concat([file.subarray(0, kept), rest])),
  fc
    .tuple(fc.constantFrom(png, jpeg), fc.nat(1000))
    .map(([file, kept]) => file.subarray(0, kept % file.length)),
  fc
    .tuple(fc.constantFrom(png, jpeg), fc.array(fc.tuple(fc.nat(1000), fc.nat(255)), { maxLength: 5 }))
    .map(([file, changes]) => {
      const spoilt = Buffer.from(file);
      for (const [at, byte] of changes) spoilt[at % spoilt.length] = byte;
      return spoilt;
    }),
  // A header that claims any size, with a right checksum.
  fc.tuple(fc.nat(0x7fff_ffff), fc.nat(0x7fff_ffff)).map(([width, height]) => {
    const claiming = Buffer.from(png);
    claiming.writeUInt32BE(width, 16);
    claiming.writeUInt32BE(height, 20);
    claiming.writeUInt32BE(crc32(claiming.subarray(12, 29)), 29);
    return claiming;
  }),
);

describe('any file that is handed in as a picture', () => {
  it('is refused, or comes back as a picture written anew', async () => {
    let written = 0;
    await fc.assert(
      fc.asyncProperty(files, type, async (bytes, said) => {
        const kept = await rewriteImage({ bytes: Buffer.from(bytes), type: said }, 'lane');
        if (typeof kept === 'string') return;
        written++;
        expect(kept.bytes.includes(stowaway)).toBe(false);
        expect(kept.bytes.length).toBeLessThanOrEqual(maxImageBytes);
        const { format, exif, icc, xmp, width } = await sharp(kept.bytes, { failOn: 'warning' }).metadata();
        expect([`image/${format}`, exif, icc, xmp]).toEqual([kept.type, undefined, undefined, undefined]);
        expect(width).toBeGreaterThan(0);
        // Whoever writes it once more gets a picture again: nothing in it is broken.
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

describe('pictures that come at once', () => {
  it('are decoded one after the other, so many of one lane and of all; the rest is turned away', async () => {
    const lanes = Array.from({ length: 40 }, (_, number) => `lane ${number % 8}`);
    const ends = await Promise.all(
      lanes.map((lane) => rewriteImage({ bytes: jpeg, type: 'image/jpeg' }, lane)),
    );
    const taken = ends.filter((end) => typeof end !== 'string');
    expect(taken).toHaveLength(1 + imageQueue.waitingInAll);
    expect(ends.filter((end) => end === 'busy')).toHaveLength(lanes.length - taken.length);
    const ofOne = await Promise.all(
      lanes.map(() => rewriteImage({ bytes: jpeg, type: 'image/jpeg' }, 'one lane')),
    );
    expect(ofOne.filter((end) => end !== 'busy')).toHaveLength(1 + imageQueue.waitingInLane);
  });

  it('are judged by their pixels before any of them is decoded', async () => {
    const claiming = Buffer.from(png);
    claiming.writeUInt32BE(30_000, 16);
    claiming.writeUInt32BE(30_000, 20);
    claiming.writeUInt32BE(crc32(claiming.subarray(12, 29)), 29);
    expect(await rewriteImage({ bytes: claiming, type: 'image/png' }, 'lane')).toBe('tooManyPixels');
  });
});

describe('the decoder', () => {
  /** Its process among this one's children; undefined while there is none. */
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

  it('costs a picture that crashes it, and no other', async () => {
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

  it('knows none of the product’s secrets', async () => {
    process.env.APP_KEY = 'a key that nobody may read';
    await rewriteImage({ bytes: jpeg, type: 'image/jpeg' }, 'lane');
    const environment = readFileSync(`/proc/${findDecoder()}/environ`, 'utf8');
    expect(environment).not.toMatch(/APP_KEY|DATABASE_URL|nobody may read/);
    expect(environment).toContain('MALLOC_ARENA_MAX=1');
  });
});
