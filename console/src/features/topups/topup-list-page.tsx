import { topupEndpoints } from '@hengfu/contract/topups';
import { onDemand } from '@hengfu/ui/browser/on-demand.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { detailSkeleton } from '@hengfu/ui/list/list-states.tsx';
import type { ListSearch } from '@hengfu/ui/list/list-types.ts';
import type { ReactElement } from 'react';
import { queryClient } from '../../platform/query-client.ts';
import { ListPage } from '../../shared/list/list-page.tsx';
import { prefetchList } from '../../shared/list/list-query.ts';
import { NextStep } from '../../shared/list/next-step.tsx';
import { topupColumns } from './topup-columns.tsx';
import { topupFilters } from './topup-filters.ts';

const TopupDetail = onDemand(
  () => import('./topup-detail.tsx').then((module) => module.TopupDetail),
  detailSkeleton,
);

/** Prefetches the rows for the search parameters. */
export const prefetch = (search: ListSearch): void => prefetchList(queryClient, topupEndpoints.list, search);

/** Top-ups → Top-up history. */
export function TopupListPage(): ReactElement {
  const t = useT();
  return (
    <ListPage
      name="topups"
      exportAs="topups"
      title="topups.title"
      endpoint={topupEndpoints.list}
      rowKey={(row) => row.trade_no}
      columns={topupColumns}
      filters={topupFilters}
      topics={['topups']}
      sumLabel="topups.sum"
      empty={{
        text: 'topups.empty',
        action: <NextStep to="/recharge/topup" perm="topups.create" title="topups.applyTitle" />,
      }}
      detail={{
        title: (tradeNo) => t('topups.order', { trade_no: tradeNo }),
        render: (tradeNo, row) => <TopupDetail tradeNo={tradeNo} row={row} />,
      }}
    />
  );
}
