import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { prefetchBy } from '../prefetch.ts';
import { shellRoute } from '../root.tsx';

const page = () => import('./security.tsx');

export const accountSecurityRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/setting/accountSecurity',
  loader: prefetchBy(page),
  component: lazyRouteComponent(page, 'Security'),
});
