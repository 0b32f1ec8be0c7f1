import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { prefetchBy } from '../prefetch.ts';
import { shellRoute } from '../root.tsx';

const page = () => import('../../features/callbacks/endpoints-page.tsx');

export const callbackEndpointsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/developers/endpoints',
  loader: prefetchBy(page),
  component: lazyRouteComponent(page, 'EndpointsPage'),
});
