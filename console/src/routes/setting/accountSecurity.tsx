import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../root.tsx';

export const accountSecurityRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/setting/accountSecurity',
  staticData: { title: 'shell.menu.accountSecurity' },
  component: lazyRouteComponent(() => import('../plain/coming-page.tsx'), 'ComingPage'),
});
