import type { FeatureModule, ModuleDeps } from '../module.ts';
import { WatchService } from './watch.service.ts';

/** The figures that alerts are made of. */
export function watchModule({ database }: ModuleDeps) {
  return { services: { watch: new WatchService(database) } } satisfies FeatureModule;
}
