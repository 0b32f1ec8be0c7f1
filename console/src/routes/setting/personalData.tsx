import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../root.tsx';

export const personalDataRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/setting/personalData',
  component: lazyRouteComponent(() => import('../../features/profile/profile-page.tsx'), 'ProfilePage'),
});
