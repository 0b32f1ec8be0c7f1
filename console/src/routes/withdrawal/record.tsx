import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../root.tsx';

export const withdrawalRecordRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/withdrawal/record',
  staticData: { title: 'shell.menu.withdrawalRecord' },
  component: lazyRouteComponent(() => import('../plain/coming-page.tsx'), 'ComingPage'),
});
