import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Storage for finished files. A file is either complete or absent. */
export interface FileStore {
  /** Stores a stream under a key of letters, digits, `-` and `.`. Replaces an earlier file. */
  put(key: string, content: Readable): Promise<void>;
  /** Returns undefined if there is no such file. */
  get(key: string): Promise<{ bytes: number; content: Readable } | undefined>;
  /** Also removes what an interrupted `put` has left. Does nothing if there is no such file. */
  delete(key: string): Promise<void>;
}

/** Files in a directory that only the server's user may enter. */
export class DirectoryStore implements FileStore {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async put(key: string, content: Readable): Promise<void> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    const path = this.#pathOf(key);
    const partial = `${path}.part`;
    try {
      await pipeline(content, createWriteStream(partial, { mode: 0o600, flush: true }));
      await rename(partial, path);
    } catch (error) {
      await rm(partial, { force: true });
      throw error;
    }
  }

  async get(key: string): Promise<{ bytes: number; content: Readable } | undefined> {
    const path = this.#pathOf(key);
    const found = await stat(path).catch(() => undefined);
    return found && { bytes: found.size, content: createReadStream(path) };
  }

  async delete(key: string): Promise<void> {
    const path = this.#pathOf(key);
    await rm(path, { force: true });
    await rm(`${path}.part`, { force: true });
  }

  #pathOf(key: string): string {
    if (!/^[\w-]+(\.[\w-]+)*$/.test(key)) throw new Error(`“${key}” is not a valid file key`);
    return join(this.#directory, key);
  }
}
