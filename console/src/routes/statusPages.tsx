import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { prefetchBy } from './prefetch.ts';
import { shellRoute } from './root.tsx';

const page = () => import('../features/status/status-page.tsx');

export const statusPagesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/statusPages',
  loader: prefetchBy(page),
  component: lazyRouteComponent(page, 'StatusPage'),
});
