import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { prefetchBy } from '../prefetch.ts';
import { shellRoute } from '../root.tsx';

const page = () => import('../../features/team/team-page.tsx');

export const teamRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/setting/team',
  loader: prefetchBy(page),
  component: lazyRouteComponent(page, 'TeamPage'),
});
