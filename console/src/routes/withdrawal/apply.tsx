import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../root.tsx';

export const withdrawalApplyRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/withdrawal/apply',
  component: lazyRouteComponent(
    () => import('../../features/withdrawals/withdrawal-apply-page.tsx'),
    'WithdrawalApplyPage',
  ),
});
