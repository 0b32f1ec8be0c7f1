import { settlementEndpoints } from '@hengfu/contract/settlements';
import { feature } from '#http/bind.ts';
import type { FeatureModule, ModuleDeps } from '../module.ts';
import { settlementHandlers } from './settlements.routes.ts';
import { SettlementService, settlementRecurring } from './settlements.service.ts';

/** Wires up settlement, which makes collected funds available. */
export function settlementsModule({ database }: ModuleDeps) {
  const settlements = new SettlementService(database);
  return {
    services: { settlements },
    endpoints: () => [feature(settlementEndpoints, settlementHandlers(settlements))],
    tasks: { own: settlements.tasks },
    recurring: settlementRecurring,
  } satisfies FeatureModule;
}
