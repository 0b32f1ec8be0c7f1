import type { ListSearch } from '@hengfu/ui/list/list-types.ts';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from './root.tsx';

const LookPage = lazyRouteComponent(() => import('../features/merchant-look/look-page.tsx'), 'LookPage');

export const merchantLookRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/merchants/$code/view/$page',
  /** The filters and the open row of the page's list, which the list checks. */
  validateSearch: (search: Record<string, unknown>): ListSearch => search as ListSearch,
  component: MerchantLook,
});

function MerchantLook() {
  const { code, page } = merchantLookRoute.useParams();
  return <LookPage key={code} code={code} page={page} />;
}
