import type { paymentLinkQuery } from '@hengfu/contract/payment-links';
import { listAddress } from '@hengfu/ui/list/list-address.ts';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { prefetchBy } from '../prefetch.ts';
import { shellRoute } from '../root.tsx';

const page = () => import('../../features/payment-links/link-list-page.tsx');

export const linksRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/collection/links',
  validateSearch: listAddress<typeof paymentLinkQuery>,
  loaderDeps: ({ search }) => search,
  loader: prefetchBy(page),
  component: lazyRouteComponent(page, 'LinkListPage'),
});
