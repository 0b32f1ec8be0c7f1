import type { Currency } from '@hengfu/contract/money';
import { merchantLookEndpoints } from '@hengfu/contract/staff/merchant-looks';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { ListView } from '@hengfu/ui/list/list-view.tsx';
import { collectionFilters } from '@hengfu/ui/orders/collection-filters.ts';
import { fundFlowFilters } from '@hengfu/ui/orders/fund-flow-filters.ts';
import { payoutFilters } from '@hengfu/ui/orders/payout-filters.ts';
import { settlementFilters } from '@hengfu/ui/orders/settlement-looks.ts';
import { type ReactElement, useMemo } from 'react';
import { listSource } from '../../shared/list-source.ts';
import { collectionColumns, fundFlowColumns, payoutColumns, settlementColumns } from './columns.tsx';
import { CollectionLook, PayoutLook, SettlementLook } from './look-details.tsx';

interface LookListProps {
  code: string;
  currency: Currency;
}

/** The source of a list of the merchant that the page is about. */
function useSource<const E extends Parameters<typeof listSource>[0]>(endpoint: E, code: string) {
  return useMemo(() => listSource(endpoint, { code }), [endpoint, code]);
}

/** The merchant's collections. */
export function CollectionsLook({ code, currency }: LookListProps): ReactElement {
  const t = useT();
  return (
    <ListView
      name="office-look-collections"
      title="officeLooks.collections"
      isPart
      source={useSource(merchantLookEndpoints.collections, code)}
      rowKey={(row) => row.trade_no}
      columns={collectionColumns}
      filters={useMemo(() => collectionFilters(currency), [currency])}
      empty={{ text: 'officeOrders.empty' }}
      detail={{
        title: (tradeNo) => t('officeOrders.order', { trade_no: tradeNo }),
        render: (tradeNo) => <CollectionLook key={tradeNo} code={code} tradeNo={tradeNo} />,
      }}
    />
  );
}

/** The merchant's payouts. */
export function PayoutsLook({ code, currency }: LookListProps): ReactElement {
  const t = useT();
  const language = useLanguage();
  return (
    <ListView
      name="office-look-payouts"
      title="officeLooks.payouts"
      isPart
      source={useSource(merchantLookEndpoints.payouts, code)}
      rowKey={(row) => row.trade_no}
      columns={payoutColumns}
      filters={useMemo(() => payoutFilters(currency, language), [currency, language])}
      empty={{ text: 'officeOrders.empty' }}
      detail={{
        title: (tradeNo) => t('officeOrders.order', { trade_no: tradeNo }),
        render: (tradeNo) => <PayoutLook key={tradeNo} code={code} tradeNo={tradeNo} />,
      }}
    />
  );
}

/** The merchant's settlements. */
export function SettlementsLook({ code }: LookListProps): ReactElement {
  const t = useT();
  return (
    <ListView
      name="office-look-settlements"
      title="settlements.title"
      isPart
      source={useSource(merchantLookEndpoints.settlements, code)}
      rowKey={(row) => row.settlement_no}
      columns={settlementColumns}
      filters={settlementFilters}
      empty={{ text: 'settlements.empty' }}
      detail={{
        title: (settlementNo) => t('settlements.batch', { settlement_no: settlementNo }),
        render: (settlementNo) => (
          <SettlementLook key={settlementNo} code={code} settlementNo={settlementNo} />
        ),
      }}
    />
  );
}

/** The statement of the merchant's available funds. */
export function FundFlowLook({ code }: LookListProps): ReactElement {
  return (
    <ListView
      name="office-look-fund-flow"
      title="fundFlow.title"
      isPart
      source={useSource(merchantLookEndpoints.fundFlow, code)}
      rowKey={(row) => row.entry_no}
      columns={fundFlowColumns}
      filters={fundFlowFilters}
      empty={{ text: 'fundFlow.empty' }}
    />
  );
}
