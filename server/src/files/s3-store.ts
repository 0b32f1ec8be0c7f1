import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { S3mini } from 's3mini';
import type { FileStore } from './file-store.ts';
import type { StorageLocation } from './storage-url.ts';

/** Files in a bucket of any S3-compatible service. Uploads in parts as data arrives, so memory stays flat. */
export class S3Store implements FileStore {
  readonly #client: S3mini;

  constructor(location: StorageLocation) {
    this.#client = new S3mini(location);
  }

  /** Aborts the upload if the stream fails, so the bucket never has a partial file. */
  async put(key: string, content: Readable): Promise<void> {
    await this.#client.putAnyObject(keyOf(key), Readable.toWeb(content) as never, 'application/octet-stream');
  }

  async get(key: string): Promise<{ bytes: number; content: Readable } | undefined> {
    const response = await this.#client.getObjectResponse(keyOf(key));
    if (!response?.body) return undefined;
    const bytes = Number(response.headers.get('content-length'));
    return { bytes, content: Readable.fromWeb(response.body as ReadableStream) };
  }

  async delete(key: string): Promise<void> {
    await this.#client.deleteObject(keyOf(key));
  }
}

function keyOf(key: string): string {
  return `exports/${key}`;
}
