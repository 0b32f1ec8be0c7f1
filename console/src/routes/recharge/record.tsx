import { topupEndpoints, topupQuery } from '@hengfu/contract/topups';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { queryClient } from '../../platform/query-client.ts';
import { searchOf } from '../../platform/search.ts';
import { prefetchList } from '../../ui/list/list-query.ts';
import { listSearch } from '../../ui/list/list-search.ts';
import { shellRoute } from '../root.tsx';

export const rechargeRecordRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/recharge/record',
  validateSearch: searchOf(listSearch(topupQuery)),
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => prefetchList(queryClient, topupEndpoints.list, deps),
  component: lazyRouteComponent(() => import('../../features/topups/topup-list-page.tsx'), 'TopupListPage'),
});
