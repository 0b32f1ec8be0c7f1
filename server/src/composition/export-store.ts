import { join } from 'node:path';
import type { Config } from '#config.ts';
import { DirectoryStore, type FileStore } from '#files/file-store.ts';
import { S3Store } from '#files/s3-store.ts';

/** Where the files of exports are kept; plain data, which can be handed to a thread. */
export type ExportPlace = Pick<Config, 'storage' | 'dataDir'>;

/** The bucket where one is named, else a directory beside the data. */
export function openExportStore({ storage, dataDir }: ExportPlace): FileStore {
  return storage ? new S3Store(storage) : new DirectoryStore(join(dataDir, 'exports'));
}
