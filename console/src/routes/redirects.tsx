import { createRoute, redirect } from '@tanstack/react-router';
import { rootRoute } from './root.tsx';

/** Creates a route that only redirects to another address. */
function redirectRoute<const P extends string>(path: P, href: string) {
  return createRoute({
    getParentRoute: () => rootRoute,
    path,
    beforeLoad: () => {
      throw redirect({ href, replace: true });
    },
  });
}

/**
 * The specification's redirects (point 2). /behalfPay goes to its history; in the original it was a dead end.
 */
export const redirectRoutes = [
  redirectRoute('/', '/dashboard'),
  redirectRoute('/collection', '/collection/payments'),
  redirectRoute('/behalfPay', '/behalfPay/transfers'),
  redirectRoute('/recharge', '/recharge/topup'),
  redirectRoute('/withdrawal', '/withdrawal/apply'),
  redirectRoute('/fund', '/fund/fundWater'),
  redirectRoute('/developers', '/developers/callbacks'),
  redirectRoute('/setting', '/setting/personalData'),
] as const;

/** Sends any other path to the 404 page. */
export const anyOtherRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '$',
  beforeLoad: () => {
    throw redirect({ href: '/404', replace: true });
  },
});
