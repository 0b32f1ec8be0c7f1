import { collectionEndpoints, collectionQuery } from '@hengfu/contract/collections';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { queryClient } from '../../platform/query-client.ts';
import { searchOf } from '../../platform/search.ts';
import { prefetchList } from '../../ui/list/list-query.ts';
import { listSearch } from '../../ui/list/list-search.ts';
import { shellRoute } from '../root.tsx';

export const paymentsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/collection/payments',
  validateSearch: searchOf(listSearch(collectionQuery)),
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => prefetchList(queryClient, collectionEndpoints.list, deps),
  component: lazyRouteComponent(
    () => import('../../features/collections/collection-list-page.tsx'),
    'CollectionListPage',
  ),
});
