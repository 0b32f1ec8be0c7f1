import type { TransformOptions } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createDeflateRaw, type ZlibOptions } from 'node:zlib';

/** A file of an archive. */
export interface ZipEntry {
  path: string;
  /** A piece may be overwritten once the next one is requested. */
  content: AsyncIterable<Buffer> | Iterable<Buffer>;
}

/** Facts about a written entry. */
interface Facts {
  /** CRC-32 of the content. */
  crc: number;
  bytes: number;
  compressedBytes: number;
}

const settings: ZlibOptions & TransformOptions = {
  // The default level takes three to four times as long, for a file that is a fifth smaller.
  level: 1,
  chunkSize: 65_536,
  // With this mark, a write is over only when it was compressed.
  writableHighWaterMark: 1,
};

/** Sizes and offsets from here on take eight bytes, and counts four (ZIP64). */
const zip64Size = 0xffff_ffff;
const zip64Count = 0xffff;
/** Versions of the format that a reader has to know: with folders and deflation, and with ZIP64. */
const [plainVersion, zip64Version] = [20, 45];
/** Names are UTF-8; sizes follow the content. */
const flags = 0x0808;
const deflated = 8;
/** Midnight of January 1, 1980: an archive shows no times. */
const [noTime, firstDay] = [0, 0x21];

/** Builds a ZIP archive (PKWARE APPNOTE 6.3) in flat memory, in the order of its entries. */
export async function* zipOf(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Buffer> {
  const directory: Buffer[] = [];
  let offset = 0;
  for await (const { path, content } of entries) {
    const name = Buffer.from(path);
    const facts: Facts = { crc: 0, bytes: 0, compressedBytes: 0 };
    const header = localHeader(name);
    yield header;
    yield* deflate(content, facts);
    const descriptor = dataDescriptor(facts);
    yield descriptor;
    directory.push(directoryRecord(name, facts, offset));
    offset += header.length + facts.compressedBytes + descriptor.length;
  }
  const records = Buffer.concat(directory);
  yield records;
  yield endOfDirectory(directory.length, records.length, offset);
}

/** Compresses content, and measures it on the way. A piece is compressed before the next one is requested. */
async function* deflate(content: ZipEntry['content'], facts: Facts): AsyncGenerator<Buffer> {
  const compressor = createDeflateRaw(settings);
  // If either fails, the other one is destroyed, and the reader below sees why.
  const feeding = pipeline(measured(content, facts), compressor).catch(() => {});
  try {
    for await (const piece of compressor) {
      facts.compressedBytes += piece.length;
      yield piece;
    }
  } finally {
    compressor.destroy();
    await feeding;
  }
}

async function* measured(content: ZipEntry['content'], facts: Facts): AsyncGenerator<Buffer> {
  for await (const piece of content) {
    facts.crc = crc32(piece, facts.crc);
    facts.bytes += piece.length;
    yield piece;
  }
}

const uint16 = (...values: readonly number[]) => {
  const bytes = Buffer.alloc(2 * values.length);
  values.forEach((value, index) => void bytes.writeUInt16LE(value, 2 * index));
  return bytes;
};
const uint32 = (...values: readonly number[]) => {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, index) => void bytes.writeUInt32LE(value, 4 * index));
  return bytes;
};
const uint64 = (...values: readonly number[]) => {
  const bytes = Buffer.alloc(8 * values.length);
  values.forEach((value, index) => void bytes.writeBigUInt64LE(BigInt(value), 8 * index));
  return bytes;
};

function localHeader(name: Buffer): Buffer {
  return Buffer.concat([
    uint32(0x04034b50),
    uint16(plainVersion, flags, deflated, noTime, firstDay),
    uint32(0, 0, 0),
    uint16(name.length, 0),
    name,
  ]);
}

const isZip64Sized = ({ bytes, compressedBytes }: Facts) =>
  bytes >= zip64Size || compressedBytes >= zip64Size;

function dataDescriptor(facts: Facts): Buffer {
  const sizes = isZip64Sized(facts) ? uint64 : uint32;
  return Buffer.concat([uint32(0x08074b50, facts.crc), sizes(facts.compressedBytes, facts.bytes)]);
}

function directoryRecord(name: Buffer, facts: Facts, offset: number): Buffer {
  const { crc, bytes, compressedBytes } = facts;
  const isZip64 = isZip64Sized(facts) || offset >= zip64Size;
  const extra = isZip64
    ? Buffer.concat([uint16(1, 24), uint64(bytes, compressedBytes, offset)])
    : Buffer.alloc(0);
  const version = isZip64 ? zip64Version : plainVersion;
  return Buffer.concat([
    uint32(0x02014b50),
    uint16(version, version, flags, deflated, noTime, firstDay),
    isZip64 ? uint32(crc, zip64Size, zip64Size) : uint32(crc, compressedBytes, bytes),
    uint16(name.length, extra.length, 0, 0, 0),
    uint32(0, isZip64 ? zip64Size : offset),
    name,
    extra,
  ]);
}

function endOfDirectory(count: number, bytes: number, offset: number): Buffer {
  const isZip64 = offset >= zip64Size || count >= zip64Count;
  const record = Buffer.concat([
    uint32(0x06064b50),
    uint64(44),
    uint16(zip64Version, zip64Version),
    uint32(0, 0),
    uint64(count, count, bytes, offset),
    uint32(0x07064b50, 0),
    uint64(offset + bytes),
    uint32(1),
  ]);
  const [shownCount, shownOffset] = isZip64 ? [zip64Count, zip64Size] : [count, offset];
  const end = Buffer.concat([
    uint32(0x06054b50),
    uint16(0, 0, shownCount, shownCount),
    uint32(bytes, shownOffset),
    uint16(0),
  ]);
  return isZip64 ? Buffer.concat([record, end]) : end;
}
