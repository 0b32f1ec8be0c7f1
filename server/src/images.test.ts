import { crc32 } from 'node:zlib';
import { imageTypes, maxImageBytes } from '@hengfu/contract/images';
import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { greyPng } from './demo/picture.ts';
import { rewriteImage } from './images.ts';

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
        const kept = await rewriteImage(Buffer.from(bytes), said);
        if (!kept) return;
        written++;
        expect(kept.bytes.includes(stowaway)).toBe(false);
        expect(kept.bytes.length).toBeLessThanOrEqual(maxImageBytes);
        const { format, exif, icc, xmp, width } = await sharp(kept.bytes, { failOn: 'warning' }).metadata();
        expect([`image/${format}`, exif, icc, xmp]).toEqual([kept.type, undefined, undefined, undefined]);
        expect(width).toBeGreaterThan(0);
        // Whoever writes it once more gets a picture again: nothing in it is broken.
        expect(await rewriteImage(kept.bytes, kept.type)).toBeDefined();
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
