import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../root.tsx';

export const transfersApplyRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/behalfPay/apply',
  component: lazyRouteComponent(
    () => import('../../features/payout-apply/payout-apply-page.tsx'),
    'PayoutApplyPage',
  ),
});
