import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { accountOptions } from '../features/account/account.api.ts';
import { dashboardOptions } from '../features/dashboard/dashboard.api.ts';
import { queryClient } from '../platform/query-client.ts';
import { shellRoute } from './root.tsx';

export const dashboardRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/dashboard',
  loader: () => {
    // Not awaited: the page stands while its figures are on their way.
    void queryClient.prefetchQuery(dashboardOptions);
    void queryClient.prefetchQuery(accountOptions);
  },
  component: lazyRouteComponent(() => import('./dashboard/overview.tsx'), 'Overview'),
});
