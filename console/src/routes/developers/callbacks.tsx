import type { callbackQuery } from '@hengfu/contract/callback-messages';
import { listAddress } from '@hengfu/ui/list/list-address.ts';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { prefetchBy } from '../prefetch.ts';
import { shellRoute } from '../root.tsx';

const page = () => import('../../features/callbacks/callback-list-page.tsx');

export const callbacksRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/developers/callbacks',
  validateSearch: listAddress<typeof callbackQuery>,
  loaderDeps: ({ search }) => search,
  loader: prefetchBy(page),
  component: lazyRouteComponent(page, 'CallbackListPage'),
});
