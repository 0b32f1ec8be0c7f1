import { withdrawalEndpoints } from '@hengfu/contract/withdrawals';
import { lazy, type ReactElement } from 'react';
import { useT } from '../../platform/i18n.ts';
import { ListPage } from '../../ui/list-page.tsx';
import { withdrawalColumns } from './withdrawal-columns.tsx';
import { withdrawalFilters } from './withdrawal-filters.ts';

const WithdrawalDetail = lazy(() =>
  import('./withdrawal-detail.tsx').then((module) => ({ default: module.WithdrawalDetail })),
);

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
