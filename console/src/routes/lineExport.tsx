import { exportEndpoints, exportQuery } from '@hengfu/contract/exports';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { queryClient } from '../platform/query-client.ts';
import { searchOf } from '../platform/search.ts';
import { prefetchList } from '../ui/list/list-query.ts';
import { listSearch } from '../ui/list/list-search.ts';
import { shellRoute } from './root.tsx';

export const lineExportRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/lineExport',
  validateSearch: searchOf(listSearch(exportQuery)),
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => prefetchList(queryClient, exportEndpoints.list, deps),
  component: lazyRouteComponent(() => import('../features/exports/export-list-page.tsx'), 'ExportListPage'),
});
