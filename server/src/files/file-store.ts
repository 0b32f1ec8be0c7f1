import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { flushDirectory } from '#db/flush-directory.ts';

/** A part of a file. */
export interface FileRange {
  offset: number;
  bytes: number;
}

/** Storage for finished files. A file is either complete or absent. */
export interface FileStore {
  /** Stores a stream under a key of letters, digits, `-` and `.`. Replaces an earlier file. */
  put(key: string, content: Readable): Promise<void>;
  /** Returns undefined if there is no such file. `range` selects a part of it. */
  get(key: string, range?: FileRange): Promise<{ bytes: number; content: Readable } | undefined>;
  /** Also removes what an interrupted `put` has left. Does nothing if there is no such file. */
  delete(key: string): Promise<void>;
}

/** A store that can list its files. */
export interface ListedStore extends FileStore {
  /** Lists the keys that begin with a prefix, in no order. */
  list(prefix: string): Promise<string[]>;
  /** Lists the keys that begin with a prefix and of which an interrupted, or a running, `put` has left a part. */
  listPartial?(prefix: string): Promise<string[]>;
}

/** Random, so that two processes can write the same key at once. Earlier versions wrote parts without the random digits. */
const newPartSuffix = () => `.${randomBytes(6).toString('hex')}.part`;
const partSuffix = /(?:\.[\da-f]{12})?\.part$/;

/** Files in a directory that only the server's user may enter. */
export class DirectoryStore implements ListedStore {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async put(key: string, content: Readable): Promise<void> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    const path = this.#pathOf(key);
    const partial = `${path}${newPartSuffix()}`;
    try {
      await pipeline(content, createWriteStream(partial, { mode: 0o600, flush: true }));
      await rename(partial, path);
      await flushDirectory(this.#directory);
    } catch (error) {
      await rm(partial, { force: true });
      throw error;
    }
  }

  async get(key: string, range?: FileRange): Promise<{ bytes: number; content: Readable } | undefined> {
    const path = this.#pathOf(key);
    const found = await stat(path).catch(() => undefined);
    if (!found) return undefined;
    if (!range) return { bytes: found.size, content: createReadStream(path) };
    const { offset: start, bytes } = range;
    return { bytes, content: createReadStream(path, { start, end: start + bytes - 1 }) };
  }

  async delete(key: string): Promise<void> {
    await rm(this.#pathOf(key), { force: true });
    for (const name of await this.#names(key))
      if (keyOfPart(name) === key) await rm(join(this.#directory, name), { force: true });
  }

  async list(prefix: string): Promise<string[]> {
    return (await this.#names(prefix)).filter((name) => keyOfPart(name) === undefined);
  }

  async listPartial(prefix: string): Promise<string[]> {
    const keys = (await this.#names(prefix)).flatMap((name) => keyOfPart(name) ?? []);
    return [...new Set(keys)];
  }

  async #names(prefix: string): Promise<string[]> {
    const names = await readdir(this.#directory).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    return names.filter((name) => name.startsWith(prefix));
  }

  #pathOf(key: string): string {
    if (!/^[\w-]+(\.[\w-]+)*$/.test(key)) throw new Error(`“${key}” is not a valid file key`);
    return join(this.#directory, key);
  }
}

/** Returns the key of a part; undefined if the name is not one of a part. */
function keyOfPart(name: string): string | undefined {
  return partSuffix.test(name) ? name.replace(partSuffix, '') : undefined;
}
