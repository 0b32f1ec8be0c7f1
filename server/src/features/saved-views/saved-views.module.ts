import { savedViewEndpoints } from '@hengfu/contract/saved-views';
import { feature } from '#http/bind.ts';
import type { FeatureModule, ModuleDeps } from '../module.ts';
import { savedViewHandlers } from './saved-views.routes.ts';
import { SavedViewService } from './saved-views.service.ts';

/** List filters that people save under a name. */
export function savedViewsModule({ database }: ModuleDeps) {
  const savedViews = new SavedViewService(database);
  return {
    services: { savedViews },
    endpoints: () => [feature(savedViewEndpoints, savedViewHandlers(savedViews))],
  } satisfies FeatureModule;
}
