import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from './root.tsx';

export const authenticationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/authentication',
  validateSearch: ({ redirect }: Record<string, unknown>): { redirect?: string } =>
    typeof redirect === 'string' ? { redirect } : {},
  beforeLoad: ({ context, location, preload }) => context.guards.enter(location, preload),
  component: lazyRouteComponent(() => import('./authentication/first-binding.tsx'), 'FirstBinding'),
});
