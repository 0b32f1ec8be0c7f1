import type { ReactElement } from 'react';
import { accountOptions } from '../../features/account/account.api.ts';
import { AccountFigures } from '../../features/account/account-figures.tsx';
import { dashboardOptions } from '../../features/dashboard/dashboard.api.ts';
import { DashboardPage } from '../../features/dashboard/dashboard-page.tsx';
import { queryClient } from '../../platform/query-client.ts';

/** Prefetches the page's data. */
export function prefetch(): void {
  void queryClient.prefetchQuery(dashboardOptions);
  void queryClient.prefetchQuery(accountOptions);
}

/**
 * The first page: the day's figures and the account's, combined here because features must not import each
 * other.
 */
export function Overview(): ReactElement {
  return <DashboardPage account={<AccountFigures />} />;
}
