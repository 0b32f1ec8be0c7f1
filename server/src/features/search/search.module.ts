import { searchEndpoints } from '@hengfu/contract/search';
import { feature } from '#http/bind.ts';
import type { FeatureModule, ModuleDeps } from '../module.ts';
import { searchHandlers } from './search.routes.ts';
import { SearchService } from './search.service.ts';

/** The search across orders, payees and pages. */
export function searchModule({ snapshots }: ModuleDeps) {
  const search = new SearchService(snapshots);
  return {
    services: { search },
    endpoints: () => [feature(searchEndpoints, searchHandlers(search))],
  } satisfies FeatureModule;
}
