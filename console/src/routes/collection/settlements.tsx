import { settlementEndpoints, settlementQuery } from '@hengfu/contract/settlements';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { queryClient } from '../../platform/query-client.ts';
import { searchOf } from '../../platform/search.ts';
import { prefetchList } from '../../ui/list/list-query.ts';
import { listSearch } from '../../ui/list/list-search.ts';
import { shellRoute } from '../root.tsx';

export const settlementsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/collection/Settlements',
  validateSearch: searchOf(listSearch(settlementQuery, 'lines')),
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => prefetchList(queryClient, settlementEndpoints.list, deps),
  component: lazyRouteComponent(
    () => import('../../features/settlements/settlement-list-page.tsx'),
    'SettlementListPage',
  ),
});
