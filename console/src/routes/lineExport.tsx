import type { exportQuery } from '@hengfu/contract/exports';
import { listAddress } from '@hengfu/ui/list/list-address.ts';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { prefetchBy } from './prefetch.ts';
import { shellRoute } from './root.tsx';

const page = () => import('../features/exports/export-list-page.tsx');

export const lineExportRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/lineExport',
  validateSearch: listAddress<typeof exportQuery>,
  loaderDeps: ({ search }) => search,
  loader: prefetchBy(page),
  component: lazyRouteComponent(page, 'ExportListPage'),
});
