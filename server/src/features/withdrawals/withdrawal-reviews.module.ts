import { withdrawalReviewEndpoints } from '@hengfu/contract/staff/withdrawal-reviews';
import { feature } from '#http/bind.ts';
import type { StaffDeps, StaffModule } from '../module.ts';
import { WithdrawalPayments, withdrawalPaymentEffects } from './review/withdrawal-payments.ts';
import { withdrawalReviewHandlers } from './review/withdrawal-reviews.routes.ts';
import { WithdrawalReview } from './withdrawals.review.ts';

/** The review of withdrawals in the back office, by the same service as the operators' commands. */
export function withdrawalReviewsModule({ database, requests, fourEyesFromUsdtMinor }: StaffDeps) {
  const withdrawalReview = new WithdrawalReview(database);
  const withdrawalPayments = new WithdrawalPayments(withdrawalReview, requests, fourEyesFromUsdtMinor);
  return {
    services: { withdrawalReview, withdrawalPayments },
    endpoints: () => [
      feature(withdrawalReviewEndpoints, withdrawalReviewHandlers(withdrawalReview, withdrawalPayments)),
    ],
    requests: { withdrawalPayment: withdrawalPaymentEffects },
  } satisfies StaffModule;
}
