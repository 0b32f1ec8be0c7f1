import { fundFlowEndpoints } from '@hengfu/contract/fund-flow';
import { openEntryEndpoints } from '@hengfu/contract/fund-flow.open';
import { feature } from '#http/bind.ts';
import type { FeatureModule, ModuleDeps } from '../module.ts';
import { fundFlowHandlers, openEntryHandlers } from './fund-flow.routes.ts';
import { StatementService } from './fund-flow.service.ts';
import { FundsTransferService } from './funds-transfer.service.ts';

/** The statement of a merchant's available funds, and transfers between merchants. */
export function fundFlowModule({ database, snapshots, entries }: ModuleDeps) {
  const fundsTransfers = new FundsTransferService(database);
  const statements = new StatementService(database, snapshots, entries);
  return {
    services: { fundsTransfers },
    endpoints: () => [feature(fundFlowEndpoints, fundFlowHandlers(statements))],
    openEndpoints: () => [feature(openEntryEndpoints, openEntryHandlers(statements))],
  } satisfies FeatureModule;
}
