import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from './root.tsx';

/** The page on which an invited person joins a team, open to anyone who has the link. */
export const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invitation/$token',
  component: lazyRouteComponent(() => import('./invitation/join.tsx'), 'JoinByLink'),
});
