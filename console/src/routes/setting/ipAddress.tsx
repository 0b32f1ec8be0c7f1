import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { ipAddressOptions } from '../../features/ip-address/ip-address.api.ts';
import { queryClient } from '../../platform/query-client.ts';
import { shellRoute } from '../root.tsx';

export const ipAddressRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/setting/ipAddress',
  staticData: { title: 'shell.menu.ipAddress' },
  loader: () => void queryClient.prefetchQuery(ipAddressOptions),
  component: lazyRouteComponent(
    () => import('../../features/ip-address/ip-address-page.tsx'),
    'IpAddressPage',
  ),
});
