import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../root.tsx';

/** The address names a link by its number; without one, the page is for a new link. */
const validateSearch = ({ link }: Record<string, unknown>): { link?: string } =>
  typeof link === 'string' ? { link } : {};

export const editLinkRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/collection/editLink',
  validateSearch,
  component: lazyRouteComponent(
    () => import('../../features/payment-links/edit-link-page.tsx'),
    'EditLinkPage',
  ),
});

export const linkCardRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/collection/linkCard',
  validateSearch,
  component: lazyRouteComponent(
    () => import('../../features/payment-links/link-card-page.tsx'),
    'LinkCardPage',
  ),
});
