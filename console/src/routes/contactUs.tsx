import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from './root.tsx';

export const contactUsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/contactUs',
  staticData: { title: 'shell.menu.contactUs' },
  component: lazyRouteComponent(() => import('./plain/coming-page.tsx'), 'ComingPage'),
});
