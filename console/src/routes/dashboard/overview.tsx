import type { PageSearch } from '@hengfu/ui/browser/page-place.ts';
import type { ReactElement } from 'react';
import { accountOptions } from '../../features/account/account.api.ts';
import { AccountFigures } from '../../features/account/account-figures.tsx';
import { prefetchChart } from '../../features/dashboard/chart/chart-on-demand.tsx';
import { agendaOptions, dashboardOptions } from '../../features/dashboard/dashboard.api.ts';
import { DashboardPage } from '../../features/dashboard/dashboard-page.tsx';
import { periodOf } from '../../features/dashboard/dashboard-search.ts';
import { queryClient } from '../../platform/query-client.ts';

/** Prefetches the page's data for the search parameters, and the chart's code. */
export function prefetch(search: PageSearch): void {
  void queryClient.prefetchQuery(dashboardOptions(periodOf(search).query));
  void queryClient.prefetchQuery(accountOptions);
  void queryClient.prefetchQuery(agendaOptions);
  prefetchChart();
}

/**
 * The first page: the period's figures and the account's, combined here because features must not import each
 * other.
 */
export function Overview(): ReactElement {
  return <DashboardPage account={<AccountFigures />} />;
}
