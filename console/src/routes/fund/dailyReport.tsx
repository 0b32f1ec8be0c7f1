import { searchOf } from '@hengfu/ui/browser/search.ts';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import * as z from 'zod';
import { shellRoute } from '../root.tsx';

const search = z.strictObject({
  offset: z.string().optional(),
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
  other: z.string().optional(),
});

export const dailyReportRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/fund/dailyReport',
  validateSearch: searchOf(search),
  component: lazyRouteComponent(
    () => import('../../features/daily-reports/daily-report-page.tsx'),
    'DailyReportPage',
  ),
});
