import { type CountedList, totalEndpoints } from '@hengfu/contract/totals';
import type { Exportable } from '#domain/exportable.sql.ts';
import { feature } from '#http/bind.ts';
import type { FeatureModule, ModuleDeps } from '../module.ts';
import { totalHandlers } from './totals.routes.ts';
import { TotalsService } from './totals.service.ts';

/** Exact totals of long lists. */
export function totalsModule({ snapshots }: ModuleDeps, lists: Readonly<Record<CountedList, Exportable>>) {
  const totals = new TotalsService(snapshots, lists);
  return {
    services: { totals },
    endpoints: () => [feature(totalEndpoints, totalHandlers(totals))],
  } satisfies FeatureModule;
}
