import { topupEndpoints } from '@hengfu/contract/topups';
import { feature } from '#http/bind.ts';
import type { FeatureModule, ModuleDeps } from '../module.ts';
import { TopupReview } from './topups.review.ts';
import { topupHandlers } from './topups.routes.ts';
import { TopupService } from './topups.service.ts';
import { DepositWallets } from './wallets/deposit-wallets.service.ts';

/** Top-ups by cryptocurrency, and their review by staff. */
export function topupsModule({ database }: ModuleDeps) {
  const topups = new TopupService(database);
  return {
    services: {
      topups,
      topupReview: new TopupReview(database),
      depositWallets: new DepositWallets(database),
    },
    endpoints: () => [feature(topupEndpoints, topupHandlers(topups))],
  } satisfies FeatureModule;
}
