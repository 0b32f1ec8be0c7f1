import { checkoutEndpoints } from '@hengfu/contract/checkout';
import { feature } from '#http/bind.ts';
import type { FeatureModule, ModuleDeps } from '../module.ts';
import { checkoutHandlers } from './checkout.routes.ts';
import { CheckoutService } from './checkout.service.ts';

/** How merchants appear on their checkout pages and receipts. */
export function checkoutModule({ database }: ModuleDeps) {
  const checkout = new CheckoutService(database);
  return {
    services: { checkout },
    endpoints: () => [feature(checkoutEndpoints, checkoutHandlers(checkout))],
  } satisfies FeatureModule;
}
