import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from './root.tsx';

export const newMerchantRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/merchants/new',
  component: lazyRouteComponent(
    () => import('../features/merchants/new-merchant-page.tsx'),
    'NewMerchantPage',
  ),
});
