import { payoutEndpoints } from '@hengfu/contract/payouts';
import { lazy, type ReactElement } from 'react';
import { useT } from '../../platform/i18n.ts';
import { ListPage } from '../../ui/list-page.tsx';
import { payoutColumns } from './payout-columns.tsx';
import { payoutFilters } from './payout-filters.ts';

const PayoutDetail = lazy(() =>
  import('./payout-detail.tsx').then((module) => ({ default: module.PayoutDetail })),
);

/** Send money → Send money history. */
export function PayoutListPage(): ReactElement {
  const t = useT();
  return (
    <ListPage
      name="payouts"
      exportAs="payouts"
      title="payouts.title"
      endpoint={payoutEndpoints.list}
      rowKey={(row) => row.trade_no}
      columns={payoutColumns}
      filters={payoutFilters}
      topics={['payouts']}
      sumLabel="payouts.sum"
      empty={{ text: 'payouts.empty' }}
      detail={{
        title: (tradeNo) => t('payouts.order', { trade_no: tradeNo }),
        render: (tradeNo, row) => <PayoutDetail tradeNo={tradeNo} row={row} />,
      }}
    />
  );
}
