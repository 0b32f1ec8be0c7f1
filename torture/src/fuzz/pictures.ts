import { randomBytes } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import { greyPng } from '@hengfu/server/demo/picture.ts';

const good = greyPng(16, 16, (x, y) => (x * y) % 256);
const headerAt = 12;
const headerLength = 17;

/**
 * Makes a small picture whose header claims another size, which must be checked before anything is decoded.
 */
function claiming(width: number, height: number): Buffer {
  const picture = Buffer.from(good);
  picture.writeUInt32BE(width, headerAt + 4);
  picture.writeUInt32BE(height, headerAt + 8);
  const header = picture.subarray(headerAt, headerAt + headerLength);
  picture.writeUInt32BE(crc32(header), headerAt + headerLength);
  return picture;
}

/** Makes a decompression bomb: a square picture whose compressed data is complete. */
function bomb(side: number): Buffer {
  const picture = claiming(side, side);
  const data = deflateSync(Buffer.alloc((side + 1) * side));
  const name = Buffer.from('IDAT');
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(Buffer.concat([name, data])));
  const dataAt = headerAt + headerLength + 4;
  const end = picture.subarray(picture.length - 12);
  return Buffer.concat([picture.subarray(0, dataAt), length, name, data, sum, end]);
}

/** Files that a client may upload as a picture, in Base64. */
export const pictures: readonly string[] = [
  good.subarray(0, good.length / 2),
  Buffer.concat([good, randomBytes(1000)]),
  Buffer.concat([good.subarray(0, 8), randomBytes(5000)]),
  Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), randomBytes(5000)]),
  claiming(30_000, 30_000),
  claiming(0, 0),
  claiming(0xffff_ffff, 1),
  // Just over sixteen million pixels, and exactly sixteen million.
  bomb(4001),
  bomb(4000),
  Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
  Buffer.from('GIF89a'),
  randomBytes(3000),
].map((bytes) => bytes.toString('base64'));
