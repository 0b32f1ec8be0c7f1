import type { ReactElement } from 'react';
import { AccountFigures } from '../../features/account/account-figures.tsx';
import { DashboardPage } from '../../features/dashboard/dashboard-page.tsx';

/** The first page: the day's figures with the account's, put together here because features do not know each other. */
export function Overview(): ReactElement {
  return <DashboardPage account={<AccountFigures />} />;
}
