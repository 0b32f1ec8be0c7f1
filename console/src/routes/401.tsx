import { createRoute } from '@tanstack/react-router';
import { UnauthorizedPage } from './plain/error-page.tsx';
import { shellRoute } from './root.tsx';

export const unauthorizedRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/401',
  component: UnauthorizedPage,
});
