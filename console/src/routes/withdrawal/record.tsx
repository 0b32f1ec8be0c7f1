import { withdrawalEndpoints, withdrawalQuery } from '@hengfu/contract/withdrawals';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { queryClient } from '../../platform/query-client.ts';
import { searchOf } from '../../platform/search.ts';
import { prefetchList } from '../../ui/list/list-query.ts';
import { listSearch } from '../../ui/list/list-search.ts';
import { shellRoute } from '../root.tsx';

export const withdrawalRecordRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/withdrawal/record',
  validateSearch: searchOf(listSearch(withdrawalQuery)),
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => prefetchList(queryClient, withdrawalEndpoints.list, deps),
  component: lazyRouteComponent(
    () => import('../../features/withdrawals/withdrawal-list-page.tsx'),
    'WithdrawalListPage',
  ),
});
