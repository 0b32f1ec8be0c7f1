import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../root.tsx';

export const paymentPasswordRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/setting/paymentPassword',
  staticData: { title: 'shell.menu.paymentPassword' },
  component: lazyRouteComponent(() => import('../plain/coming-page.tsx'), 'ComingPage'),
});
