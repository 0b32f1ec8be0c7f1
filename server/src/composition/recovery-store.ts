import type { WalArchiveConfig } from '#config.ts';
import { DirectoryStore, type ListedStore } from '#files/file-store.ts';

/** Opens the store of archived WAL and base backups. */
export async function openRecoveryStore({ place }: WalArchiveConfig): Promise<ListedStore> {
  if ('directory' in place) return new DirectoryStore(place.directory);
  const { S3Store } = await import('#files/s3-store.ts');
  return new S3Store(place.bucket, 'recovery');
}
