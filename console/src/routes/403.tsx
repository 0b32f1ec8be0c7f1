import { createRoute } from '@tanstack/react-router';
import { ForbiddenPage } from './plain/error-page.tsx';
import { shellRoute } from './root.tsx';

export const forbiddenRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/403',
  component: ForbiddenPage,
});
