import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from './root.tsx';

/** The page on which a person who works for several merchants chooses one after sign-in. */
export const workplaceRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/workplace',
  validateSearch: ({ redirect }: Record<string, unknown>): { redirect?: string } =>
    typeof redirect === 'string' ? { redirect } : {},
  beforeLoad: ({ context }) => context.guards.enterChoice(),
  component: lazyRouteComponent(() => import('./workplace/choose.tsx'), 'ChooseMerchant'),
});
