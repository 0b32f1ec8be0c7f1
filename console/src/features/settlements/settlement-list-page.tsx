import { batchStatuses, settlementEndpoints } from '@hengfu/contract/settlements';
import { onDemand } from '@hengfu/ui/browser/on-demand.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { detailSkeleton } from '@hengfu/ui/list/list-states.tsx';
import type { FilterNameOf, ListFilter, ListSearch } from '@hengfu/ui/list/list-types.ts';
import { statusOptions } from '@hengfu/ui/values/status-tag.tsx';
import type { ReactElement } from 'react';
import { queryClient } from '../../platform/query-client.ts';
import { ListPage } from '../../shared/list/list-page.tsx';
import { prefetchList } from '../../shared/list/list-query.ts';
import { NextSettlement } from './next-settlement.tsx';
import { settlementColumns } from './settlement-columns.tsx';
import { batchLooks } from './settlement-looks.ts';

const SettlementDetail = onDemand(
  () => import('./settlement-detail.tsx').then((module) => module.SettlementDetail),
  detailSkeleton,
);

const filters: readonly ListFilter<FilterNameOf<typeof settlementEndpoints.list>>[] = [
  {
    kind: 'text',
    name: 'settlement_no',
    match: 'beginning',
    label: 'settlements.settlement_no',
    isInline: true,
  },
  {
    kind: 'choice',
    name: 'status',
    label: 'settlements.statusLabel',
    options: statusOptions(batchStatuses, batchLooks),
  },
  { kind: 'days', from: 'createdFrom', to: 'createdTo', label: 'settlements.createdAt' },
  { kind: 'days', from: 'settledFrom', to: 'settledTo', label: 'settlements.settledAt' },
];

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
      filters={filters}
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
