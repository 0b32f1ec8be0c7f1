import { merchantLookEndpoints } from '@hengfu/contract/staff/merchant-looks';
import { ListView } from '@hengfu/ui/list/list-view.tsx';
import { type ReactElement, useMemo } from 'react';
import { listSource } from '../../shared/list-source.ts';
import { collectionColumns, fundFlowColumns, payoutColumns, settlementColumns } from './columns.tsx';

interface LookListProps {
  code: string;
}

/** The source of a list of the merchant that the page is about. */
function useSource<const E extends Parameters<typeof listSource>[0]>(endpoint: E, code: string) {
  return useMemo(() => listSource(endpoint, { code }), [endpoint, code]);
}

/** The merchant's collections. */
export function CollectionsLook({ code }: LookListProps): ReactElement {
  return (
    <ListView
      name="office-look-collections"
      title="officeLooks.collections"
      nested="look"
      source={useSource(merchantLookEndpoints.collections, code)}
      rowKey={(row) => row.trade_no}
      columns={collectionColumns}
      empty={{ text: 'officeOrders.empty' }}
    />
  );
}

/** The merchant's payouts. */
export function PayoutsLook({ code }: LookListProps): ReactElement {
  return (
    <ListView
      name="office-look-payouts"
      title="officeLooks.payouts"
      nested="look"
      source={useSource(merchantLookEndpoints.payouts, code)}
      rowKey={(row) => row.trade_no}
      columns={payoutColumns}
      empty={{ text: 'officeOrders.empty' }}
    />
  );
}

/** The merchant's settlements. */
export function SettlementsLook({ code }: LookListProps): ReactElement {
  return (
    <ListView
      name="office-look-settlements"
      title="settlements.title"
      nested="look"
      source={useSource(merchantLookEndpoints.settlements, code)}
      rowKey={(row) => row.settlement_no}
      columns={settlementColumns}
      empty={{ text: 'settlements.empty' }}
    />
  );
}

/** The statement of the merchant's available funds. */
export function FundFlowLook({ code }: LookListProps): ReactElement {
  return (
    <ListView
      name="office-look-fund-flow"
      title="fundFlow.title"
      nested="look"
      source={useSource(merchantLookEndpoints.fundFlow, code)}
      rowKey={(row) => row.entry_no}
      columns={fundFlowColumns}
      empty={{ text: 'fundFlow.empty' }}
    />
  );
}
