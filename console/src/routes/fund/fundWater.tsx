import { fundFlowEndpoints, fundFlowQuery } from '@hengfu/contract/fund-flow';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { queryClient } from '../../platform/query-client.ts';
import { searchOf } from '../../platform/search.ts';
import { prefetchList } from '../../ui/list/list-query.ts';
import { listSearch } from '../../ui/list/list-search.ts';
import { shellRoute } from '../root.tsx';

export const fundWaterRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/fund/fundWater',
  validateSearch: searchOf(listSearch(fundFlowQuery)),
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => prefetchList(queryClient, fundFlowEndpoints.list, deps),
  component: lazyRouteComponent(() => import('../../features/fund-flow/fund-flow-page.tsx'), 'FundFlowPage'),
});
