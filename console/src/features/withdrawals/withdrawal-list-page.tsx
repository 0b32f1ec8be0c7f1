import { withdrawalEndpoints } from '@hengfu/contract/withdrawals';
import { onDemand } from '@hengfu/ui/browser/on-demand.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { detailSkeleton } from '@hengfu/ui/list/list-states.tsx';
import type { ListSearch } from '@hengfu/ui/list/list-types.ts';
import type { ReactElement } from 'react';
import { queryClient } from '../../platform/query-client.ts';
import { ListPage } from '../../shared/list/list-page.tsx';
import { prefetchList } from '../../shared/list/list-query.ts';
import { NextStep } from '../../shared/list/next-step.tsx';
import { withdrawalColumns } from './withdrawal-columns.tsx';
import { withdrawalFilters } from './withdrawal-filters.ts';

const WithdrawalDetail = onDemand(
  () => import('./withdrawal-detail.tsx').then((module) => module.WithdrawalDetail),
  detailSkeleton,
);

/** Prefetches the rows for the search parameters. */
export const prefetch = (search: ListSearch): void =>
  prefetchList(queryClient, withdrawalEndpoints.list, search);

/** Withdrawals → Withdrawal history. */
export function WithdrawalListPage(): ReactElement {
  const t = useT();
  return (
    <ListPage
      name="withdrawals"
      exportAs="withdrawals"
      title="withdrawals.title"
      endpoint={withdrawalEndpoints.list}
      rowKey={(row) => row.trade_no}
      columns={withdrawalColumns}
      filters={withdrawalFilters}
      topics={['withdrawals']}
      sumLabel="withdrawals.sum"
      empty={{
        text: 'withdrawals.empty',
        action: <NextStep to="/withdrawal/apply" perm="withdrawals.create" title="withdrawals.applyTitle" />,
      }}
      detail={{
        title: (tradeNo) => t('withdrawals.order', { trade_no: tradeNo }),
        render: (tradeNo, row) => <WithdrawalDetail tradeNo={tradeNo} row={row} />,
      }}
    />
  );
}
