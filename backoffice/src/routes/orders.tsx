import type { orderQuery } from '@hengfu/contract/staff/orders';
import { listAddress } from '@hengfu/ui/list/list-address.ts';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from './root.tsx';

export const ordersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/orders',
  validateSearch: listAddress<typeof orderQuery>,
  component: lazyRouteComponent(() => import('../features/orders/orders-page.tsx'), 'OrdersPage'),
});
