import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { S3mini, S3ServiceError } from 's3mini';
import type { FileRange, ListedStore } from './file-store.ts';
import type { StorageLocation } from './storage-url.ts';

const notFound = 404;

/** Files in a bucket of any S3-compatible service. Uploads in parts as data arrives, so memory stays flat. */
export class S3Store implements ListedStore {
  readonly #client: S3mini;
  readonly #folder: string;

  /** Keys get the prefix of a folder. `requestTimeoutMs` aborts longer requests, of any size. */
  constructor(location: StorageLocation, folder = 'exports', requestTimeoutMs?: number) {
    this.#client = new S3mini({ ...location, requestAbortTimeout: requestTimeoutMs });
    this.#folder = folder;
  }

  /** Aborts the upload if the stream fails, so the bucket never has a partial file. */
  async put(key: string, content: Readable): Promise<void> {
    await this.#client.putAnyObject(
      this.#keyOf(key),
      Readable.toWeb(content) as never,
      'application/octet-stream',
    );
  }

  async get(key: string, range?: FileRange): Promise<{ bytes: number; content: Readable } | undefined> {
    const response = range
      ? await this.#getRange(key, range)
      : await this.#client.getObjectResponse(this.#keyOf(key));
    if (!response?.body) return undefined;
    const bytes = Number(response.headers.get('content-length'));
    return { bytes, content: Readable.fromWeb(response.body as ReadableStream) };
  }

  async delete(key: string): Promise<void> {
    await this.#client.deleteObject(this.#keyOf(key));
  }

  async list(prefix: string): Promise<string[]> {
    const folder = `${this.#folder}/`;
    const found = await this.#client.listObjects('/', `${folder}${prefix}`);
    if (!found) throw new Error('the bucket does not exist');
    return found.map(({ Key }) => Key.slice(folder.length));
  }

  /** Unlike the method for whole objects, that for a range throws if there is none. */
  async #getRange(key: string, { offset, bytes }: FileRange): Promise<Response | undefined> {
    try {
      return await this.#client.getObjectRaw(this.#keyOf(key), false, offset, offset + bytes);
    } catch (error) {
      if (error instanceof S3ServiceError && error.status === notFound) return undefined;
      throw error;
    }
  }

  #keyOf(key: string): string {
    return `${this.#folder}/${key}`;
  }
}
