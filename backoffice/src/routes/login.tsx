import { createRoute, redirect } from '@tanstack/react-router';
import { rootRoute } from './root.tsx';

/** Every page asks for the sign-in by itself; whoever has typed this address is led to the first page. */
export const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  beforeLoad: () => {
    throw redirect({ to: '/' });
  },
});
