import { ArchiveReader } from '#archive/archive-reader.ts';
import type { FeatureModule, ModuleDeps } from '../module.ts';
import { WatchService } from './watch.service.ts';

/** Provides the figures that alerts and operator commands are based on. */
export function watchModule({ database, archive }: ModuleDeps) {
  return {
    services: { watch: new WatchService(database, new ArchiveReader(archive)) },
  } satisfies FeatureModule;
}
