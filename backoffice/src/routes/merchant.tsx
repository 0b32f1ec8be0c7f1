import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { MerchantPart } from '../features/merchants/merchant-page.tsx';
import { rootRoute } from './root.tsx';

const MerchantPage = lazyRouteComponent(
  () => import('../features/merchants/merchant-page.tsx'),
  'MerchantPage',
);

const parts: readonly MerchantPart[] = ['people', 'access', 'terms', 'notes', 'actions'];

export const merchantRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/merchants/$code',
  /** `part`: what is shown of the merchant; the overview if absent. */
  validateSearch: (search: Record<string, unknown>): { part?: MerchantPart } => {
    const part = parts.find((each) => each === search.part);
    return part ? { part } : {};
  },
  component: Merchant,
});

function Merchant() {
  const { code } = merchantRoute.useParams();
  const { part = 'overview' } = merchantRoute.useSearch();
  return <MerchantPage key={code} code={code} part={part} />;
}
