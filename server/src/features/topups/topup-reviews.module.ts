import { topupReviewEndpoints } from '@hengfu/contract/staff/topup-reviews';
import { feature } from '#http/bind.ts';
import type { StaffDeps, StaffModule } from '../module.ts';
import { topupReviewHandlers } from './review/topup-reviews.routes.ts';
import { TopupReview } from './topups.review.ts';

/** The review of top-ups in the back office, by the same service as the operators' commands. */
export function topupReviewsModule({ database }: StaffDeps) {
  const review = new TopupReview(database);
  return {
    services: {},
    endpoints: () => [feature(topupReviewEndpoints, topupReviewHandlers(review))],
  } satisfies StaffModule;
}
