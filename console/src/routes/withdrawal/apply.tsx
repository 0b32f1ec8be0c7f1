import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../root.tsx';

export const withdrawalApplyRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/withdrawal/apply',
  staticData: { title: 'shell.menu.withdrawalApply' },
  component: lazyRouteComponent(() => import('../plain/coming-page.tsx'), 'ComingPage'),
});
