import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { accessKeyOptions } from '../../features/access-key/access-key.api.ts';
import { queryClient } from '../../platform/query-client.ts';
import { shellRoute } from '../root.tsx';

export const interfaceKeyRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/setting/interfaceKey',
  staticData: { title: 'shell.menu.interfaceKey' },
  loader: () => void queryClient.prefetchQuery(accessKeyOptions),
  component: lazyRouteComponent(
    () => import('../../features/access-key/access-key-page.tsx'),
    'AccessKeyPage',
  ),
});
