import { settlementEndpoints } from '@hengfu/contract/settlements';
import { openSettlementEndpoints } from '@hengfu/contract/settlements.open';
import { feature } from '#http/bind.ts';
import type { FeatureModule, ModuleDeps } from '../module.ts';
import { openSettlementHandlers, settlementHandlers } from './settlements.routes.ts';
import { SettlementService, settlementRecurring } from './settlements.service.ts';

/** Wires up settlement, which makes collected funds available. */
export function settlementsModule({ database }: ModuleDeps) {
  const settlements = new SettlementService(database);
  return {
    services: { settlements },
    endpoints: () => [feature(settlementEndpoints, settlementHandlers(settlements))],
    openEndpoints: () => [feature(openSettlementEndpoints, openSettlementHandlers(settlements))],
    tasks: { own: settlements.tasks },
    recurring: settlementRecurring,
  } satisfies FeatureModule;
}
