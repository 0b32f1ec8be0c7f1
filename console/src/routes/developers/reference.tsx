import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { prefetchBy } from '../prefetch.ts';
import { shellRoute } from '../root.tsx';

const page = () => import('../../features/test-calls/reference-page.tsx');

/** The search parameter names the open call, by its ID in the OpenAPI document. */
const validateSearch = ({ call }: Record<string, unknown>): { call?: string } =>
  typeof call === 'string' ? { call } : {};

export const referenceRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/developers/reference',
  validateSearch,
  loader: prefetchBy(page),
  component: lazyRouteComponent(page, 'ReferencePage'),
});
