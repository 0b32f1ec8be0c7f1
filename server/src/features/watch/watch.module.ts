import type { FeatureModule, ModuleDeps } from '../module.ts';
import { WatchService } from './watch.service.ts';

/** Provides the figures that alerts and operator commands are based on. */
export function watchModule({ database }: ModuleDeps) {
  return { services: { watch: new WatchService(database) } } satisfies FeatureModule;
}
