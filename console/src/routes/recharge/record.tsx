import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../root.tsx';

export const rechargeRecordRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/recharge/record',
  staticData: { title: 'shell.menu.rechargeRecord' },
  component: lazyRouteComponent(() => import('../plain/coming-page.tsx'), 'ComingPage'),
});
