import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { prefetchBy } from '../prefetch.ts';
import { shellRoute } from '../root.tsx';

const page = () => import('./checkout/checkout.tsx');

export const checkoutRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/setting/checkout',
  loader: prefetchBy(page),
  component: lazyRouteComponent(page, 'CheckoutWithPreview'),
});
