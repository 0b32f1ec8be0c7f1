import type { collectionQuery } from '@hengfu/contract/collections';
import { listAddress } from '@hengfu/ui/list/list-address.ts';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { prefetchBy } from '../prefetch.ts';
import { shellRoute } from '../root.tsx';

const page = () => import('../../features/collections/collection-list-page.tsx');

export const paymentsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/collection/payments',
  validateSearch: listAddress<typeof collectionQuery>,
  loaderDeps: ({ search }) => search,
  loader: prefetchBy(page),
  component: lazyRouteComponent(page, 'CollectionListPage'),
});
