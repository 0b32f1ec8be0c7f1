import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from './root.tsx';

/** The payment receipt behind a link, open to anyone who has the link. */
export const slipRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/slip/$token',
  component: lazyRouteComponent(() => import('./slip/slip.tsx'), 'SlipOfLink'),
});
