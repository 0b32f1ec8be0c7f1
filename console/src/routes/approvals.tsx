import type { approvalQuery } from '@hengfu/contract/approvals';
import { listAddress } from '@hengfu/ui/list/list-address.ts';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { prefetchBy } from './prefetch.ts';
import { shellRoute } from './root.tsx';

const page = () => import('../features/approvals/approval-list-page.tsx');

export const approvalsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/approvals',
  validateSearch: listAddress<typeof approvalQuery>,
  loaderDeps: ({ search }) => search,
  loader: prefetchBy(page),
  component: lazyRouteComponent(page, 'ApprovalListPage'),
});
