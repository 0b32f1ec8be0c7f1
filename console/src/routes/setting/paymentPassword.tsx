import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { paymentPasswordOptions } from '../../features/payment-password/payment-password.api.ts';
import { queryClient } from '../../platform/query-client.ts';
import { shellRoute } from '../root.tsx';

export const paymentPasswordRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/setting/paymentPassword',
  staticData: { title: 'shell.menu.paymentPassword' },
  loader: () => void queryClient.prefetchQuery(paymentPasswordOptions),
  component: lazyRouteComponent(
    () => import('../../features/payment-password/payment-password-page.tsx'),
    'PaymentPasswordPage',
  ),
});
