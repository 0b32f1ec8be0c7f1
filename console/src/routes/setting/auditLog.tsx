import type { auditQuery } from '@hengfu/contract/audit-log';
import { listAddress } from '@hengfu/ui/list/list-address.ts';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { prefetchBy } from '../prefetch.ts';
import { shellRoute } from '../root.tsx';

const page = () => import('../../features/audit-log/audit-log-page.tsx');

export const auditLogRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/setting/auditLog',
  validateSearch: listAddress<typeof auditQuery>,
  loaderDeps: ({ search }) => search,
  loader: prefetchBy(page),
  component: lazyRouteComponent(page, 'AuditLogPage'),
});
