import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { contactOptions } from '../features/contact/contact.api.ts';
import { queryClient } from '../platform/query-client.ts';
import { shellRoute } from './root.tsx';

export const contactUsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/contactUs',
  staticData: { title: 'shell.menu.contactUs' },
  loader: () => void queryClient.prefetchQuery(contactOptions),
  component: lazyRouteComponent(() => import('../features/contact/contact-page.tsx'), 'ContactPage'),
});
