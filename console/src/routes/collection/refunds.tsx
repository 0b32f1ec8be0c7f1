import type { refundQuery } from '@hengfu/contract/refunds';
import { listAddress } from '@hengfu/ui/list/list-address.ts';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { prefetchBy } from '../prefetch.ts';
import { shellRoute } from '../root.tsx';

const page = () => import('../../features/collections/refunds/refund-list-page.tsx');

export const refundsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/collection/refunds',
  validateSearch: listAddress<typeof refundQuery>,
  loaderDeps: ({ search }) => search,
  loader: prefetchBy(page),
  component: lazyRouteComponent(page, 'RefundListPage'),
});
