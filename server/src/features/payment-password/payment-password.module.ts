import { paymentPasswordEndpoints } from '@hengfu/contract/payment-password';
import { feature } from '#http/bind.ts';
import type { FeatureModule, ModuleDeps } from '../module.ts';
import { paymentPasswordHandlers } from './payment-password.routes.ts';
import { PaymentPasswordService } from './payment-password.service.ts';

/** The password that authorizes payouts and withdrawals. */
export function paymentPasswordModule({ database }: ModuleDeps) {
  const paymentPassword = new PaymentPasswordService(database);
  return {
    services: { paymentPassword },
    endpoints: () => [feature(paymentPasswordEndpoints, paymentPasswordHandlers(paymentPassword))],
  } satisfies FeatureModule;
}
