import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { prefetchBy } from './prefetch.ts';
import { shellRoute } from './root.tsx';

const page = () => import('./dashboard/overview.tsx');

export const dashboardRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/dashboard',
  loader: prefetchBy(page),
  component: lazyRouteComponent(page, 'Overview'),
});
