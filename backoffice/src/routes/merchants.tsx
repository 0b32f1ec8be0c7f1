import { staffMerchantEndpoints } from '@hengfu/contract/staff/merchants';
import { createRoute, lazyRouteComponent, useNavigate } from '@tanstack/react-router';
import type { MerchantSearch } from '../features/merchants/merchants-page.tsx';
import { rootRoute } from './root.tsx';

const MerchantsPage = lazyRouteComponent(
  () => import('../features/merchants/merchants-page.tsx'),
  'MerchantsPage',
);

export const merchantsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/merchants',
  /** The filters of the list; an address with others shows all merchants. */
  validateSearch: (search: Record<string, unknown>): MerchantSearch => {
    const { data } = staffMerchantEndpoints.list.query.safeParse(search);
    return Object.fromEntries(Object.entries(data ?? {}).filter(([, value]) => value));
  },
  component: Merchants,
});

function Merchants() {
  const { after: _, ...filters } = merchantsRoute.useSearch();
  const navigate = useNavigate();
  const filter = (change: MerchantSearch) =>
    void navigate({ to: '/merchants', search: { ...filters, ...change } });
  return <MerchantsPage filters={merchantsRoute.useSearch()} filter={filter} />;
}
