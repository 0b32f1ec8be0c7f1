import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from './root.tsx';

/** The slip behind a link: open to whoever has it. */
export const slipRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/slip/$token',
  component: lazyRouteComponent(() => import('./slip/slip.tsx'), 'SlipOfLink'),
});
