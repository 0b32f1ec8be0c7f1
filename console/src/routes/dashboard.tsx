import type { DashboardQuery } from '@hengfu/contract/dashboard';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { prefetchBy } from './prefetch.ts';
import { shellRoute } from './root.tsx';

const page = () => import('./dashboard/overview.tsx');

export const dashboardRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/dashboard',
  // Passed through unchecked: the page drops what is invalid, and the frame's chunk has no schema.
  validateSearch: (search): Partial<Record<keyof DashboardQuery, string | undefined>> => search,
  loaderDeps: ({ search }) => search,
  loader: prefetchBy(page),
  component: lazyRouteComponent(page, 'Overview'),
});
