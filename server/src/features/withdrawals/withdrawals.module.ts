import { withdrawalEndpoints } from '@hengfu/contract/withdrawals';
import type { Authorize } from '#domain/caller.ts';
import { feature } from '#http/bind.ts';
import type { FeatureModule, ModuleDeps } from '../module.ts';
import { withdrawalApproval } from './approval/withdrawals.approval.ts';
import { WithdrawalTermsService } from './withdrawal-terms.service.ts';
import { WithdrawalReview } from './withdrawals.review.ts';
import { withdrawalHandlers } from './withdrawals.routes.ts';
import { WithdrawalService } from './withdrawals.service.ts';

/** Withdrawals to a merchant's own wallet, their review and their terms. */
export function withdrawalsModule({ database }: ModuleDeps, authorize: Authorize) {
  const withdrawals = new WithdrawalService(database, authorize);
  return {
    services: {
      withdrawals,
      withdrawalReview: new WithdrawalReview(database),
      withdrawalTerms: new WithdrawalTermsService(database),
      withdrawalApproval: withdrawalApproval((tx, order, end) => withdrawals.rejectWaiting(tx, order, end)),
    },
    endpoints: () => [feature(withdrawalEndpoints, withdrawalHandlers(withdrawals))],
  } satisfies FeatureModule;
}
