import { crc32, deflateSync } from 'node:zlib';

const width = 360;
const height = 240;
const paper = 0xf4;
const ink = 0x9a;
const lineEvery = 32;
const lineThickness = 10;
const margin = 24;

/** Draws a PNG of gray lines, like a receipt; it differs by seed. */
export function receiptPicture(seed: number): Buffer {
  return greyPng(width, height, (x, y) => {
    const line = Math.floor(y / lineEvery);
    const end = width - margin - ((seed * 37 + line * 61) % (width / 2));
    return y % lineEvery < lineThickness && line > 0 && x >= margin && x < end ? ink : paper;
  });
}

/** Encodes a PNG of gray pixels, each from 0 to 255. */
export function greyPng(width: number, height: number, greyAt: (x: number, y: number) => number): Buffer {
  // Each row begins with its filter type; 0 is none.
  const rows = Array.from({ length: height }, (_, y) =>
    Buffer.from([0, ...Array.from({ length: width }, (_, x) => greyAt(x, y))]),
  );
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Bit depth; color type 0 is grayscale.
  header[8] = 8;
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Encodes a PNG chunk: length, name, data and checksum. */
function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
