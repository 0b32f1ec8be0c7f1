import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { prefetchBy } from '../prefetch.ts';
import { shellRoute } from '../root.tsx';

const page = () => import('../../features/access-key/access-key-page.tsx');

export const interfaceKeyRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/setting/interfaceKey',
  loader: prefetchBy(page),
  component: lazyRouteComponent(page, 'AccessKeyPage'),
});
