import { orderEndpoints } from '@hengfu/contract/staff/orders';
import { translate } from '@hengfu/ui/language/i18n.ts';
import { ListView } from '@hengfu/ui/list/list-view.tsx';
import type { ReactElement } from 'react';
import { useLive } from '../../platform/live.ts';
import { listSource } from '../../shared/list-source.ts';
import { CollectionCaseDetail } from './collection-case.tsx';
import { orderColumns, orderFilters } from './order-columns.tsx';
import { PayoutCaseDetail } from './payout-case.tsx';

const source = listSource(orderEndpoints.list);
/** Numbers of payouts begin with this letter, those of collections with another one. */
const payoutLetter = 'P';

/** The payouts and collections of all merchants. */
export function OrdersPage(): ReactElement {
  useLive(['payouts', 'collections'], source.key);
  return (
    <ListView
      name="office-orders"
      title="officeOrders.list"
      source={source}
      rowKey={(row) => row.trade_no}
      columns={orderColumns}
      filters={orderFilters}
      empty={{ text: 'officeOrders.empty' }}
      detail={{
        title: (tradeNo) => translate('officeOrders.order', { trade_no: tradeNo }),
        render: (tradeNo) =>
          tradeNo.startsWith(payoutLetter) ? (
            <PayoutCaseDetail key={tradeNo} tradeNo={tradeNo} />
          ) : (
            <CollectionCaseDetail key={tradeNo} tradeNo={tradeNo} />
          ),
      }}
    />
  );
}
