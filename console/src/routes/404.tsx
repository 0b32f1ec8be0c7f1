import { createRoute } from '@tanstack/react-router';
import { NotFoundPage } from './plain/error-page.tsx';
import { shellRoute } from './root.tsx';

export const notFoundRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/404',
  component: NotFoundPage,
});
