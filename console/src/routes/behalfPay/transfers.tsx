import type { payoutQuery } from '@hengfu/contract/payouts';
import { listAddress } from '@hengfu/ui/list/list-address.ts';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { prefetchBy } from '../prefetch.ts';
import { shellRoute } from '../root.tsx';

const page = () => import('../../features/payouts/payout-list-page.tsx');

export const transfersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/behalfPay/transfers',
  validateSearch: listAddress<typeof payoutQuery>,
  loaderDeps: ({ search }) => search,
  loader: prefetchBy(page),
  component: lazyRouteComponent(page, 'PayoutListPage'),
});
