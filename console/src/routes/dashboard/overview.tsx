import type { ReactElement } from 'react';
import { accountOptions } from '../../features/account/account.api.ts';
import { AccountFigures } from '../../features/account/account-figures.tsx';
import { dashboardOptions } from '../../features/dashboard/dashboard.api.ts';
import { DashboardPage } from '../../features/dashboard/dashboard-page.tsx';
import { queryClient } from '../../platform/query-client.ts';

/** Asks for what the page shows before it is on screen. */
export function prefetch(): void {
  void queryClient.prefetchQuery(dashboardOptions);
  void queryClient.prefetchQuery(accountOptions);
}

/** The first page: the day's figures with the account's, put together here because features do not know each other. */
export function Overview(): ReactElement {
  return <DashboardPage account={<AccountFigures />} />;
}
