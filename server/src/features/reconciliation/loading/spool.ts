import { createHash, randomUUID } from 'node:crypto';
import { open, readdir, stat, statfs, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { statementLimits } from '@hengfu/contract/staff/statement-days';
import { Refusal } from '#domain/refusal.ts';
import { UnreadableStatement } from '../parse/line-fields.rules.ts';
import { unpacked } from '../parse/statement-text.ts';

const prefix = 'hengfu-statement-';
/** Space that uploads leave free on the disk. */
const reserveBytes = 1024 ** 3;
/** Free space is looked up again each time so much was written. */
const checkedBytes = 16 * 1024 ** 2;
/** A packed statement unpacks to ten to forty times its size. A bomb unpacks to a thousand times. */
const maxRatio = 100;
/** Small files may unpack to this, whatever the ratio. */
const anyRatioBytes = 16 * 1024 ** 2;
const hourMs = 3_600_000;

/** An uploaded file on disk, unpacked. */
export interface SpooledFile {
  /** SHA-256. */
  hash: Buffer;
  chunks(): AsyncIterable<Buffer>;
  /** Frees its space, and lets the channel's next file come. */
  close(): Promise<void>;
}

export interface SpoolOptions {
  folder?: string;
  /** Reads the free space of a folder's disk, in bytes. */
  freeBytes?: (folder: string) => Promise<number>;
  maxBytes?: number;
}

/**
 * Receives files as fast as they arrive, however long they then take to load: one at a time for each channel, and never so much that the disk is
 * full. A file has no name on disk, so that nothing is left of it when the process dies.
 */
export class StatementSpool {
  readonly #folder: string;
  readonly #freeBytes: (folder: string) => Promise<number>;
  readonly #maxBytes: number;
  readonly #channels = new Set<string>();

  constructor({
    folder = tmpdir(),
    freeBytes = freeBytesOf,
    maxBytes = statementLimits.uploadBytes,
  }: SpoolOptions = {}) {
    this.#folder = folder;
    this.#freeBytes = freeBytes;
    this.#maxBytes = maxBytes;
  }

  /**
   * Receives a file of a channel. Throws `statement_loading` while another one of the channel is there, `unavailable` if the disk is nearly full,
   * `payload_too_large`, and `UnreadableStatement` for a damaged packed file, or one that unpacks to far more than its size.
   */
  async receive(channel: string, body: Readable): Promise<SpooledFile> {
    if (this.#channels.has(channel)) throw new Refusal('statement_loading');
    this.#channels.add(channel);
    try {
      await this.#assertSpace();
      const file = await this.#write(body);
      return {
        ...file,
        close: async () => {
          try {
            await file.close();
          } finally {
            this.#channels.delete(channel);
          }
        },
      };
    } catch (error) {
      this.#channels.delete(channel);
      throw error;
    }
  }

  /** Deletes files that a process left behind when it died before their names were removed. */
  async clean(): Promise<void> {
    const names = (await readdir(this.#folder)).filter((name) => name.startsWith(prefix));
    for (const name of names) {
      const path = join(this.#folder, name);
      const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
      // Another process may be about to remove the name of a younger one.
      if (mtimeMs < Date.now() - hourMs) await unlink(path).catch(() => undefined);
    }
  }

  async #write(body: Readable): Promise<SpooledFile> {
    const path = join(this.#folder, `${prefix}${randomUUID()}`);
    const file = await open(path, 'wx+', 0o600);
    try {
      await unlink(path);
      const hash = createHash('sha256');
      const arrived = { bytes: 0 };
      let bytes = 0;
      let checked = 0;
      const packed = Readable.from(limited(body, this.#maxBytes, arrived), { objectMode: false });
      for await (const chunk of unpacked(packed)) {
        bytes += chunk.length;
        if (bytes > Math.max(anyRatioBytes, arrived.bytes * maxRatio))
          throw new UnreadableStatement('tooLarge');
        if (bytes - checked > checkedBytes) {
          await this.#assertSpace();
          checked = bytes;
        }
        hash.update(chunk);
        await file.writeFile(chunk);
      }
      return {
        hash: hash.digest(),
        chunks: () => file.createReadStream({ start: 0, autoClose: false }),
        close: () => file.close(),
      };
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  async #assertSpace(): Promise<void> {
    if ((await this.#freeBytes(this.#folder)) < reserveBytes) throw new Refusal('unavailable');
  }
}

async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

async function* limited(
  body: Readable,
  maxBytes: number,
  arrived: { bytes: number },
): AsyncGenerator<Buffer> {
  for await (const chunk of body) {
    arrived.bytes += chunk.length;
    if (arrived.bytes > maxBytes) throw new Refusal('payload_too_large');
    yield chunk;
  }
}
