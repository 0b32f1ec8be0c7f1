import { payoutEndpoints, payoutQuery } from '@hengfu/contract/payouts';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { queryClient } from '../../platform/query-client.ts';
import { searchOf } from '../../platform/search.ts';
import { prefetchList } from '../../ui/list/list-query.ts';
import { listSearch } from '../../ui/list/list-search.ts';
import { shellRoute } from '../root.tsx';

export const transfersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/behalfPay/transfers',
  validateSearch: searchOf(listSearch(payoutQuery)),
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => prefetchList(queryClient, payoutEndpoints.list, deps),
  component: lazyRouteComponent(
    () => import('../../features/payouts/payout-list-page.tsx'),
    'PayoutListPage',
  ),
});
