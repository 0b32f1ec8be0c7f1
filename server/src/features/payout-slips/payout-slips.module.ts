import { payoutSlipEndpoints } from '@hengfu/contract/payout-slips';
import { feature } from '#http/bind.ts';
import type { FeatureModule, ModuleDeps } from '../module.ts';
import { payoutSlipHandlers } from './payout-slips.routes.ts';
import { PayoutSlips } from './payout-slips.service.ts';

/** Receipts of payouts, which anyone with the link can verify. */
export function payoutSlipsModule({ database, secrets, appUrl }: ModuleDeps) {
  const payoutSlips = new PayoutSlips(database, secrets, appUrl);
  return {
    services: { payoutSlips },
    endpoints: () => [feature(payoutSlipEndpoints, payoutSlipHandlers(payoutSlips))],
  } satisfies FeatureModule;
}
