import { join } from 'node:path';
import type { Config } from '#config.ts';
import { DirectoryStore, type FileStore, type ListedStore } from '#files/file-store.ts';
import type { ArchivePlace } from '#files/storage-url.ts';

/** Settings of the export storage; plain data, so that they can be passed to a thread. */
export type ExportStorage = Pick<Config, 'storage' | 'dataDir'>;

/** For files of a few hundred bytes. */
const smallFileTimeoutMs = 10_000;

/** Opens the store of archived months: the configured bucket, or else a folder in the data directory. */
export function openArchiveStore(storage: ExportStorage): Promise<FileStore> {
  return openStore(storage, 'archive');
}

/** Opens the store of exported files, in the same places. */
export function openExportStore(storage: ExportStorage): Promise<FileStore> {
  return openStore(storage, 'exports');
}

/** Opens the store of the audit trail's roots: the configured place, or else one beside the others. */
export async function openAuditRootStore({
  auditRoots,
  ...storage
}: ExportStorage & Pick<Config, 'auditRoots'>): Promise<ListedStore> {
  const place = auditRoots ?? placeOf(storage, 'audit-roots');
  return openPlace(place, 'audit-roots', smallFileTimeoutMs);
}

/** Opens a directory, or a folder of a bucket. `requestTimeoutMs` aborts longer requests to a bucket, of any size. */
export async function openPlace(
  place: ArchivePlace,
  folder: string,
  requestTimeoutMs?: number,
): Promise<ListedStore> {
  if ('directory' in place) return new DirectoryStore(place.directory);
  // Imported only here: without a bucket its code is not loaded.
  const { S3Store } = await import('#files/s3-store.ts');
  return new S3Store(place.bucket, folder, requestTimeoutMs);
}

function openStore(storage: ExportStorage, folder: string): Promise<ListedStore> {
  return openPlace(placeOf(storage, folder), folder);
}

function placeOf({ storage, dataDir }: ExportStorage, folder: string): ArchivePlace {
  return storage ? { bucket: storage } : { directory: join(dataDir, folder) };
}
