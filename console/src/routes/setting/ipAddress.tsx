import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { prefetchBy } from '../prefetch.ts';
import { shellRoute } from '../root.tsx';

const page = () => import('../../features/ip-address/ip-address-page.tsx');

export const ipAddressRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/setting/ipAddress',
  loader: prefetchBy(page),
  component: lazyRouteComponent(page, 'IpAddressPage'),
});
