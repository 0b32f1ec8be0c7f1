import type { topupQuery } from '@hengfu/contract/topups';
import { listAddress } from '@hengfu/ui/list/list-address.ts';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { prefetchBy } from '../prefetch.ts';
import { shellRoute } from '../root.tsx';

const page = () => import('../../features/topups/topup-list-page.tsx');

export const rechargeRecordRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/recharge/record',
  validateSearch: listAddress<typeof topupQuery>,
  loaderDeps: ({ search }) => search,
  loader: prefetchBy(page),
  component: lazyRouteComponent(page, 'TopupListPage'),
});
