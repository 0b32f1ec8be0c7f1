import type { settlementQuery } from '@hengfu/contract/settlements';
import { listAddress } from '@hengfu/ui/list/list-address.ts';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { prefetchBy } from '../prefetch.ts';
import { shellRoute } from '../root.tsx';

const page = () => import('../../features/settlements/settlement-list-page.tsx');

export const settlementsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/collection/Settlements',
  validateSearch: listAddress<typeof settlementQuery, 'lines'>,
  loaderDeps: ({ search }) => search,
  loader: prefetchBy(page),
  component: lazyRouteComponent(page, 'SettlementListPage'),
});
