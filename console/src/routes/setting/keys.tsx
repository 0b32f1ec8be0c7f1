import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { prefetchBy } from '../prefetch.ts';
import { shellRoute } from '../root.tsx';

const page = () => import('../../features/access-key/keys/keys-page.tsx');

export const keysRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/setting/keys',
  loader: prefetchBy(page),
  component: lazyRouteComponent(page, 'AccessKeysPage'),
});
