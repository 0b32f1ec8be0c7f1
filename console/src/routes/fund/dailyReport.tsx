import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../root.tsx';

export const dailyReportRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/fund/dailyReport',
  staticData: { title: 'shell.menu.dailyReport' },
  component: lazyRouteComponent(() => import('../plain/coming-page.tsx'), 'ComingPage'),
});
