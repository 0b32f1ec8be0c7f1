import { join } from 'node:path';
import type { Config } from '#config.ts';
import { DirectoryStore, type FileStore } from '#files/file-store.ts';

/** Settings of the export storage; plain data, so that they can be passed to a thread. */
export type ExportStorage = Pick<Config, 'storage' | 'dataDir'>;

/** Opens the store of archived months: the configured bucket, or else a folder in the data directory. */
export function openArchiveStore(storage: ExportStorage): Promise<FileStore> {
  return openStore(storage, 'archive');
}

/** Opens the store of exported files, in the same places. */
export function openExportStore(storage: ExportStorage): Promise<FileStore> {
  return openStore(storage, 'exports');
}

async function openStore({ storage, dataDir }: ExportStorage, folder: string): Promise<FileStore> {
  if (!storage) return new DirectoryStore(join(dataDir, folder));
  // Imported only here: without a bucket its code is not loaded.
  const { S3Store } = await import('#files/s3-store.ts');
  return new S3Store(storage, folder);
}
