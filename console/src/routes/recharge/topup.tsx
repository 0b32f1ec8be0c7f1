import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../root.tsx';

export const rechargeTopupRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/recharge/topup',
  component: lazyRouteComponent(() => import('../../features/topups/topup-apply-page.tsx'), 'TopupApplyPage'),
});
