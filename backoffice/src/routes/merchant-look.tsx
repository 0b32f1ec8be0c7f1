import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from './root.tsx';

const LookPage = lazyRouteComponent(() => import('../features/merchant-look/look-page.tsx'), 'LookPage');

export const merchantLookRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/merchants/$code/view/$page',
  /** The position of the list, which the list checks. */
  validateSearch: (search: Record<string, unknown>): Partial<Record<'look.cursor' | 'look.limit', string>> =>
    search as Record<string, string>,
  component: MerchantLook,
});

function MerchantLook() {
  const { code, page } = merchantLookRoute.useParams();
  return <LookPage key={code} code={code} page={page} />;
}
