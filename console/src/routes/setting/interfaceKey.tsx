import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../root.tsx';

export const interfaceKeyRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/setting/interfaceKey',
  staticData: { title: 'shell.menu.interfaceKey' },
  component: lazyRouteComponent(() => import('../plain/coming-page.tsx'), 'ComingPage'),
});
