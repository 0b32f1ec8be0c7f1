import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { prefetchBy } from '../prefetch.ts';
import { shellRoute } from '../root.tsx';

const page = () => import('../../features/payment-password/payment-password-page.tsx');

export const paymentPasswordRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/setting/paymentPassword',
  loader: prefetchBy(page),
  component: lazyRouteComponent(page, 'PaymentPasswordPage'),
});
