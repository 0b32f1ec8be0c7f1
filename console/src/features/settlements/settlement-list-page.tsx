import { settlementEndpoints } from '@hengfu/contract/settlements';
import { onDemand } from '@hengfu/ui/browser/on-demand.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { detailSkeleton } from '@hengfu/ui/list/list-states.tsx';
import type { ListSearch } from '@hengfu/ui/list/list-types.ts';
import { settlementFilters } from '@hengfu/ui/orders/settlement-looks.ts';
import type { ReactElement } from 'react';
import { queryClient } from '../../platform/query-client.ts';
import { ListPage } from '../../shared/list/list-page.tsx';
import { prefetchList } from '../../shared/list/list-query.ts';
import { NextSettlement } from './next-settlement.tsx';
import { settlementColumns } from './settlement-columns.tsx';

const SettlementDetail = onDemand(
  () => import('./settlement-detail.tsx').then((module) => module.SettlementDetail),
  detailSkeleton,
);

/** Prefetches the rows for the search parameters. */
export const prefetch = (search: ListSearch): void =>
  prefetchList(queryClient, settlementEndpoints.list, search);

/** Receive money → Settlements. */
export function SettlementListPage(): ReactElement {
  const t = useT();
  return (
    <ListPage
      name="settlements"
      exportAs="settlements"
      title="settlements.title"
      endpoint={settlementEndpoints.list}
      rowKey={(row) => row.settlement_no}
      columns={settlementColumns}
      filters={settlementFilters}
      topics={['settlements']}
      sumLabel="settlements.sum"
      empty={{ text: 'settlements.empty' }}
      above={() => <NextSettlement />}
      detail={{
        title: (settlementNo) => t('settlements.batch', { settlement_no: settlementNo }),
        render: (settlementNo, row) => (
          <SettlementDetail key={settlementNo} settlementNo={settlementNo} row={row} />
        ),
      }}
    />
  );
}
