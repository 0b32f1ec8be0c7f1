import type { WalArchiveConfig } from '#config.ts';
import type { ListedStore } from '#files/file-store.ts';
import { openPlace } from './export-store.ts';

/** Opens the store of archived WAL and base backups. */
export function openRecoveryStore({ place }: WalArchiveConfig): Promise<ListedStore> {
  return openPlace(place, 'recovery');
}
