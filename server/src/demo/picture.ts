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

/** PNG's color types: a byte for each pixel, or three. */
const colorTypes = { grey: 0, rgb: 2 } as const;

/** Encodes a PNG of gray pixels, each from 0 to 255. */
export function greyPng(width: number, height: number, greyAt: (x: number, y: number) => number): Buffer {
  return encodePng(width, height, 'grey', (x, y) => [greyAt(x, y)]);
}

/** An ellipse in the square from −1 to 1, turned by degrees. */
interface Petal {
  x: number;
  y: number;
  long: number;
  short: number;
  turn: number;
}

const logoSize = 160;

/** Draws a logo: white petals on a color, given as six hex digits. */
export function logoPicture(color: string, petals: readonly Petal[]): Buffer {
  const background = [...Buffer.from(color.slice(1), 'hex')];
  const white = [255, 255, 255];
  const place = (pixel: number) => (2 * pixel + 1) / logoSize - 1;
  return encodePng(logoSize, logoSize, 'rgb', (x, y) =>
    petals.some((petal) => covers(petal, place(x), place(y))) ? white : background,
  );
}

function covers({ x, y, long, short, turn }: Petal, atX: number, atY: number): boolean {
  const angle = (turn * Math.PI) / 180;
  const along = (atX - x) * Math.cos(angle) + (atY - y) * Math.sin(angle);
  const across = (atY - y) * Math.cos(angle) - (atX - x) * Math.sin(angle);
  return (along / long) ** 2 + (across / short) ** 2 <= 1;
}

function encodePng(
  width: number,
  height: number,
  type: keyof typeof colorTypes,
  pixelAt: (x: number, y: number) => readonly number[],
): Buffer {
  // Each row begins with its filter type; 0 is none.
  const rows = Array.from({ length: height }, (_, y) =>
    Buffer.from([0, ...Array.from({ length: width }, (_, x) => pixelAt(x, y)).flat()]),
  );
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Bit depth, color type.
  header[8] = 8;
  header[9] = colorTypes[type];
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
