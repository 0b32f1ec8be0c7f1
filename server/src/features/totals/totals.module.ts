import { totalEndpoints } from '@hengfu/contract/totals';
import { feature } from '#http/bind.ts';
import type { FeatureModule, ModuleDeps } from '../module.ts';
import { totalHandlers } from './totals.routes.ts';
import { type CountedSources, TotalsService } from './totals.service.ts';

/** Exact totals of long lists. */
export function totalsModule({ snapshots }: ModuleDeps, lists: CountedSources) {
  const totals = new TotalsService(snapshots, lists);
  return {
    services: { totals },
    endpoints: () => [feature(totalEndpoints, totalHandlers(totals))],
  } satisfies FeatureModule;
}
