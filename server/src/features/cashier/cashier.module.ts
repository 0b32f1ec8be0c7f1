import { cashierEndpoints } from '@hengfu/contract/cashier';
import type { MerchantTx } from '#db/database.ts';
import { feature } from '#http/bind.ts';
import type { FeatureModule, ModuleDeps } from '../module.ts';
import { cashierHandlers } from './cashier.routes.ts';
import { CashierService } from './cashier.service.ts';

/** The checkout page. `scheduleQuery` schedules a query for a payment whose outcome may never be reported. */
export function cashierModule(
  { database, adapters, appUrl }: ModuleDeps,
  scheduleQuery: (tx: MerchantTx, tradeNo: string) => Promise<void>,
) {
  const cashier = new CashierService({ database, adapters, appUrl, scheduleQuery });
  return {
    services: { cashier },
    endpoints: () => [feature(cashierEndpoints, cashierHandlers(cashier))],
  } satisfies FeatureModule;
}
