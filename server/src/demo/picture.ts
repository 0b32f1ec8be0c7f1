import { crc32, deflateSync } from 'node:zlib';

const width = 360;
const height = 240;
const paper = 0xf4;
const ink = 0x9a;
const lineEvery = 32;
const lineThickness = 10;
const margin = 24;

/** A PNG of grey lines, as of a receipt; another one for every seed. */
export function receiptPicture(seed: number): Buffer {
  return greyPng(width, height, (x, y) => {
    const line = Math.floor(y / lineEvery);
    const end = width - margin - ((seed * 37 + line * 61) % (width / 2));
    return y % lineEvery < lineThickness && line > 0 && x >= margin && x < end ? ink : paper;
  });
}

/** A PNG of grey pixels, each from 0 to 255. */
export function greyPng(width: number, height: number, greyAt: (x: number, y: number) => number): Buffer {
  // A row begins with its filter: none.
  const rows = Array.from({ length: height }, (_, y) =>
    Buffer.from([0, ...Array.from({ length: width }, (_, x) => greyAt(x, y))]),
  );
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits of grey.
  header[8] = 8;
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Length, name, data and checksum, as PNG has them. */
function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
