import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { securityEventsOptions, sessionsOptions } from '../../features/profile/profile.api.ts';
import { queryClient } from '../../platform/query-client.ts';
import { shellRoute } from '../root.tsx';

export const accountSecurityRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/setting/accountSecurity',
  staticData: { title: 'shell.menu.accountSecurity' },
  loader: () => {
    void queryClient.prefetchQuery(sessionsOptions);
    void queryClient.prefetchQuery(securityEventsOptions);
  },
  component: lazyRouteComponent(() => import('./security.tsx'), 'Security'),
});
