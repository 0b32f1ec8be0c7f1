import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { prefetchBy } from './prefetch.ts';
import { shellRoute } from './root.tsx';

const page = () => import('../features/contact/contact-page.tsx');

export const contactUsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/contactUs',
  loader: prefetchBy(page),
  component: lazyRouteComponent(page, 'ContactPage'),
});
