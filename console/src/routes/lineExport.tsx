import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from './root.tsx';

export const lineExportRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/lineExport',
  staticData: { title: 'shell.menu.lineExport' },
  component: lazyRouteComponent(() => import('./plain/coming-page.tsx'), 'ComingPage'),
});
