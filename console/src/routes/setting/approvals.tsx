import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { prefetchBy } from '../prefetch.ts';
import { shellRoute } from '../root.tsx';

const page = () => import('../../features/approval-rules/rules-page.tsx');

export const approvalRulesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/setting/approvals',
  loader: prefetchBy(page),
  component: lazyRouteComponent(page, 'ApprovalRulesPage'),
});
