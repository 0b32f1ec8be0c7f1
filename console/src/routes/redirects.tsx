import { createRoute, redirect } from '@tanstack/react-router';
import { rootRoute } from './root.tsx';

/** An address that only leads to another one. */
function redirectRoute<const P extends string>(path: P, href: string) {
  return createRoute({
    getParentRoute: () => rootRoute,
    path,
    beforeLoad: () => {
      throw redirect({ href, replace: true });
    },
  });
}

/** The specification's redirects (point 2); /behalfPay leads to its history, where the original had a dead end. */
export const redirectRoutes = [
  redirectRoute('/', '/dashboard'),
  redirectRoute('/collection', '/collection/payments'),
  redirectRoute('/behalfPay', '/behalfPay/transfers'),
  redirectRoute('/recharge', '/recharge/topup'),
  redirectRoute('/withdrawal', '/withdrawal/apply'),
  redirectRoute('/fund', '/fund/fundWater'),
  redirectRoute('/setting', '/setting/personalData'),
] as const;

/** Any other path. */
export const anyOtherRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '$',
  beforeLoad: () => {
    throw redirect({ href: '/404', replace: true });
  },
});
