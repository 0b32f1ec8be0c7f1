import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from './root.tsx';

export const authenticationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/authentication',
  beforeLoad: ({ context, location, preload }) => context.guards.enter(location, preload),
  staticData: { title: 'shell.menu.authentication' },
  component: lazyRouteComponent(() => import('./plain/coming-page.tsx'), 'ComingPage'),
});
