import { fundFlowEndpoints } from '@hengfu/contract/fund-flow';
import { feature } from '#http/bind.ts';
import type { FeatureModule, ModuleDeps } from '../module.ts';
import { fundFlowHandlers } from './fund-flow.routes.ts';
import { FundsTransferService } from './funds-transfer.service.ts';

/** The statement of a merchant's available funds, and transfers between merchants. */
export function fundFlowModule({ database }: ModuleDeps) {
  const fundsTransfers = new FundsTransferService(database);
  return {
    services: { fundsTransfers },
    endpoints: () => [feature(fundFlowEndpoints, fundFlowHandlers(database))],
  } satisfies FeatureModule;
}
