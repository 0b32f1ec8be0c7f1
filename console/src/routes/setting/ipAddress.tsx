import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../root.tsx';

export const ipAddressRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/setting/ipAddress',
  staticData: { title: 'shell.menu.ipAddress' },
  component: lazyRouteComponent(() => import('../plain/coming-page.tsx'), 'ComingPage'),
});
