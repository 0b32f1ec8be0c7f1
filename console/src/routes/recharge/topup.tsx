import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../root.tsx';

export const rechargeTopupRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/recharge/topup',
  staticData: { title: 'shell.menu.topup' },
  component: lazyRouteComponent(() => import('../plain/coming-page.tsx'), 'ComingPage'),
});
