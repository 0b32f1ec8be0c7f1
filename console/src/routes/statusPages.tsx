import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from './root.tsx';

export const statusPagesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/statusPages',
  staticData: { title: 'shell.menu.statusPages' },
  component: lazyRouteComponent(() => import('./plain/coming-page.tsx'), 'ComingPage'),
});
