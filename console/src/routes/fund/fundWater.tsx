import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../root.tsx';

export const fundWaterRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/fund/fundWater',
  staticData: { title: 'shell.menu.fundWater' },
  component: lazyRouteComponent(() => import('../plain/coming-page.tsx'), 'ComingPage'),
});
