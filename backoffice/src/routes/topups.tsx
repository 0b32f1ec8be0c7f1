import { createRoute, lazyRouteComponent, useNavigate } from '@tanstack/react-router';
import { rootRoute } from './root.tsx';

const ReviewsPage = lazyRouteComponent(
  () => import('../features/topup-reviews/topup-reviews-page.tsx'),
  'TopupReviewsPage',
);

export const topupsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/topups',
  /** `case`: the number of the top-up that is shown. */
  validateSearch: (search: Record<string, unknown>): { case?: string } =>
    typeof search.case === 'string' ? { case: search.case } : {},
  component: Topups,
});

function Topups() {
  const { case: chosen } = topupsRoute.useSearch();
  const navigate = useNavigate();
  const choose = (tradeNo: string) =>
    void navigate({ to: '/topups', search: { case: tradeNo }, replace: true });
  return <ReviewsPage chosen={chosen} choose={choose} />;
}
