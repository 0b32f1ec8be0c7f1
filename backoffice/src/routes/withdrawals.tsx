import { createRoute, lazyRouteComponent, useNavigate } from '@tanstack/react-router';
import { rootRoute } from './root.tsx';

const ReviewsPage = lazyRouteComponent(
  () => import('../features/withdrawal-reviews/withdrawal-reviews-page.tsx'),
  'WithdrawalReviewsPage',
);

export const withdrawalsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/withdrawals',
  /** `case`: the number of the withdrawal that is shown. */
  validateSearch: (search: Record<string, unknown>): { case?: string } =>
    typeof search.case === 'string' ? { case: search.case } : {},
  component: Withdrawals,
});

function Withdrawals() {
  const { case: chosen } = withdrawalsRoute.useSearch();
  const navigate = useNavigate();
  const choose = (tradeNo: string) =>
    void navigate({ to: '/withdrawals', search: { case: tradeNo }, replace: true });
  return <ReviewsPage chosen={chosen} choose={choose} />;
}
