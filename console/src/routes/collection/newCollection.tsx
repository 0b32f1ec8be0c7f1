import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../root.tsx';

export const newCollectionRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/collection/new',
  component: lazyRouteComponent(
    () => import('../../features/collections/new-collection-page.tsx'),
    'NewCollectionPage',
  ),
});
