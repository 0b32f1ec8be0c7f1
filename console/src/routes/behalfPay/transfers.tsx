import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../root.tsx';

export const transfersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/behalfPay/transfers',
  staticData: { title: 'shell.menu.transfers' },
  component: lazyRouteComponent(() => import('../plain/coming-page.tsx'), 'ComingPage'),
});
