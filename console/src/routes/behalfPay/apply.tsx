import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../root.tsx';

export const transfersApplyRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/behalfPay/apply',
  staticData: { title: 'shell.menu.transfersApply' },
  component: lazyRouteComponent(() => import('../plain/coming-page.tsx'), 'ComingPage'),
});
