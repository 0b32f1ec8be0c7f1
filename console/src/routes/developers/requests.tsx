import type { requestLogQuery } from '@hengfu/contract/request-log';
import { listAddress } from '@hengfu/ui/list/list-address.ts';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { prefetchBy } from '../prefetch.ts';
import { shellRoute } from '../root.tsx';

const page = () => import('../../features/request-log/request-log-page.tsx');

export const requestsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/developers/requests',
  validateSearch: listAddress<typeof requestLogQuery>,
  loaderDeps: ({ search }) => search,
  loader: prefetchBy(page),
  component: lazyRouteComponent(page, 'RequestLogPage'),
});
