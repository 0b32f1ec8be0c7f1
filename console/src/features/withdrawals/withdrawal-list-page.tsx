import { withdrawalEndpoints } from '@hengfu/contract/withdrawals';
import { lazy, type ReactElement } from 'react';
import { useT } from '../../platform/i18n.ts';
import { queryClient } from '../../platform/query-client.ts';
import { prefetchList } from '../../ui/list/list-query.ts';
import type { ListSearch } from '../../ui/list/list-types.ts';
import { ListPage } from '../../ui/list-page.tsx';
import { withdrawalColumns } from './withdrawal-columns.tsx';
import { withdrawalFilters } from './withdrawal-filters.ts';

const WithdrawalDetail = lazy(() =>
  import('./withdrawal-detail.tsx').then((module) => ({ default: module.WithdrawalDetail })),
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
      empty={{ text: 'withdrawals.empty' }}
      detail={{
        title: (tradeNo) => t('withdrawals.order', { trade_no: tradeNo }),
        render: (tradeNo, row) => <WithdrawalDetail tradeNo={tradeNo} row={row} />,
      }}
    />
  );
}
