import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';

const blockBytes = 512;
const zeros = Buffer.alloc(blockBytes);

/** An entry of a tar: a folder, or a file with the size that it had when it was listed. */
export interface TarEntry {
  /** Relative, with `/`; at most 99 bytes, which every path of a PostgreSQL cluster is. */
  path: string;
  /** Undefined for a folder. */
  bytes: number | undefined;
}

/**
 * Writes the files of a folder as a tar (POSIX ustar) while they change: a file that has shrunk is filled with zeros, one that has
 * grown is cut, and one that is gone is omitted. Replaying the WAL repairs all three.
 */
export async function* tarOf(folder: string, entries: AsyncIterable<TarEntry>): AsyncGenerator<Buffer> {
  for await (const entry of entries) {
    if (entry.bytes === undefined) {
      yield headerOf(entry);
      continue;
    }
    let left = entry.bytes;
    let hasHeader = false;
    try {
      if (left > 0)
        for await (const piece of createReadStream(join(folder, entry.path), { end: left - 1 })) {
          if (!hasHeader) yield headerOf(entry);
          hasHeader = true;
          yield piece as Buffer;
          left -= (piece as Buffer).length;
        }
    } catch (error) {
      if (!isGone(error)) throw error;
      if (!hasHeader) continue;
    }
    if (!hasHeader) yield headerOf(entry);
    for (; left > 0; left -= blockBytes) yield zeros.subarray(0, Math.min(left, blockBytes));
    yield zeros.subarray(0, paddingOf(entry.bytes));
  }
  yield Buffer.concat([zeros, zeros]);
}

/** Creates the folders and files of a tar of {@link tarOf} in a folder, with modes for their owner only. Returns the number of files. */
export async function extractTar(tar: AsyncIterable<Buffer>, folder: string): Promise<number> {
  const reader = new Pieces(tar);
  for (let files = 0; ; ) {
    const header = await reader.take(blockBytes);
    if (header.equals(zeros)) return files;
    const { path, bytes } = readHeader(header);
    const target = join(folder, path);
    if (bytes === undefined) {
      await mkdir(target, { recursive: true, mode: 0o700 });
      continue;
    }
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await pipeline(reader.next(bytes), createWriteStream(target, { flags: 'wx', mode: 0o600 }));
    await reader.take(paddingOf(bytes));
    files++;
  }
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function paddingOf(bytes: number): number {
  return (blockBytes - (bytes % blockBytes)) % blockBytes;
}

function headerOf({ path, bytes }: TarEntry): Buffer {
  const name = bytes === undefined ? `${path}/` : path;
  if (Buffer.byteLength(name) > 99) throw new Error(`${path} is too long a path for the tar`);
  const header = Buffer.alloc(blockBytes);
  header.write(name, 0);
  header.write(bytes === undefined ? '0000700\0' : '0000600\0', 100);
  for (const offset of [108, 116]) header.write('0000000\0', offset);
  header.write(`${(bytes ?? 0).toString(8).padStart(11, '0')}\0`, 124);
  header.write('00000000000\0', 136);
  header.write(bytes === undefined ? '5' : '0', 156);
  header.write('ustar\x0000', 257, 'latin1');
  header.write(`${checksumOf(header).toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

/** Adds up a header's bytes, those of the checksum as spaces. */
function checksumOf(header: Buffer): number {
  return header.reduce((sum, byte, index) => sum + (index >= 148 && index < 156 ? 0x20 : byte), 0);
}

function readHeader(header: Buffer): TarEntry {
  const text = (start: number, bytes: number) =>
    header
      .subarray(start, start + bytes)
      .toString('utf8')
      .replace(/\0.*$/s, '');
  if (Number.parseInt(text(148, 8), 8) !== checksumOf(header))
    throw new Error('the tar has a damaged header');
  const path = text(0, 100).replace(/\/$/, '');
  if (path.startsWith('/') || path.split('/').includes('..')) throw new Error(`the tar contains “${path}”`);
  return { path, bytes: text(156, 1) === '5' ? undefined : Number.parseInt(text(124, 12), 8) };
}

/** Reads a stream in pieces of any size. */
class Pieces {
  readonly #source: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Yields so many bytes, as they arrive. Throws if the stream ends before. */
  async *next(bytes: number): AsyncGenerator<Buffer> {
    for (let left = bytes; left > 0; ) {
      if (this.#rest.length === 0) {
        const { value, done } = await this.#source.next();
        if (done) throw new Error('the tar ends too early');
        this.#rest = value;
      }
      const piece = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(piece.length);
      left -= piece.length;
      yield piece;
    }
  }

  async take(bytes: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for await (const piece of this.next(bytes)) pieces.push(piece);
    return Buffer.concat(pieces);
  }
}
