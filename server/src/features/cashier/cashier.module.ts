import { cashierEndpoints } from '@hengfu/contract/cashier';
import type { MerchantTx } from '#db/database.ts';
import { feature } from '#http/bind.ts';
import type { FeatureModule, ModuleDeps } from '../module.ts';
import { cashierHandlers } from './cashier.routes.ts';
import { CashierService } from './cashier.service.ts';

/** The payer's page. `planToAsk` schedules a query of the payment's outcome, should the channel never report it. */
export function cashierModule(
  { database, adapters, appUrl }: ModuleDeps,
  planToAsk: (tx: MerchantTx, tradeNo: string) => Promise<void>,
) {
  const cashier = new CashierService({ database, adapters, appUrl, planToAsk });
  return {
    services: { cashier },
    endpoints: () => [feature(cashierEndpoints, cashierHandlers(cashier))],
  } satisfies FeatureModule;
}
