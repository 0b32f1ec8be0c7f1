import type { withdrawalQuery } from '@hengfu/contract/withdrawals';
import { listAddress } from '@hengfu/ui/list/list-address.ts';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { prefetchBy } from '../prefetch.ts';
import { shellRoute } from '../root.tsx';

const page = () => import('../../features/withdrawals/withdrawal-list-page.tsx');

export const withdrawalRecordRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/withdrawal/record',
  validateSearch: listAddress<typeof withdrawalQuery>,
  loaderDeps: ({ search }) => search,
  loader: prefetchBy(page),
  component: lazyRouteComponent(page, 'WithdrawalListPage'),
});
