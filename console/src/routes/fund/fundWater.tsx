import type { fundFlowQuery } from '@hengfu/contract/fund-flow';
import { listAddress } from '@hengfu/ui/list/list-address.ts';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { prefetchBy } from '../prefetch.ts';
import { shellRoute } from '../root.tsx';

const page = () => import('../../features/fund-flow/fund-flow-page.tsx');

export const fundWaterRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/fund/fundWater',
  validateSearch: listAddress<typeof fundFlowQuery>,
  loaderDeps: ({ search }) => search,
  loader: prefetchBy(page),
  component: lazyRouteComponent(page, 'FundFlowPage'),
});
