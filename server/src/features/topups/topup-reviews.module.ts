import { topupReviewEndpoints } from '@hengfu/contract/staff/topup-reviews';
import { feature } from '#http/bind.ts';
import type { StaffDeps, StaffModule } from '../module.ts';
import { TopupCredits, topupCreditEffects } from './review/topup-credits.ts';
import { topupReviewHandlers } from './review/topup-reviews.routes.ts';
import { TopupReview } from './topups.review.ts';

/** The review of top-ups in the back office, by the same service as the operators' commands. */
export function topupReviewsModule({ database, requests, fourEyesFromUsdtMinor }: StaffDeps) {
  const review = new TopupReview(database);
  const topupCredits = new TopupCredits(review, requests, fourEyesFromUsdtMinor);
  return {
    services: { topupCredits },
    endpoints: () => [feature(topupReviewEndpoints, topupReviewHandlers(review, topupCredits))],
    requests: { topupCredit: topupCreditEffects },
  } satisfies StaffModule;
}
