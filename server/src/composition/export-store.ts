import { join } from 'node:path';
import type { Config } from '#config.ts';
import { DirectoryStore, type FileStore } from '#files/file-store.ts';
import { S3Store } from '#files/s3-store.ts';

/** Settings of the export storage; plain data, so that they can be passed to a thread. */
export type ExportStorage = Pick<Config, 'storage' | 'dataDir'>;

/** Opens the store of archived months: the configured bucket, or else a folder in the data directory. */
export function openArchiveStore({ storage, dataDir }: ExportStorage): FileStore {
  return storage ? new S3Store(storage, 'archive') : new DirectoryStore(join(dataDir, 'archive'));
}

/** Opens the store of exported files, in the same places. */
export function openExportStore({ storage, dataDir }: ExportStorage): FileStore {
  return storage ? new S3Store(storage) : new DirectoryStore(join(dataDir, 'exports'));
}
