import { refundEndpoints } from '@hengfu/contract/refunds';
import { onDemand } from '@hengfu/ui/browser/on-demand.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { detailSkeleton } from '@hengfu/ui/list/list-states.tsx';
import type { ListSearch } from '@hengfu/ui/list/list-types.ts';
import type { ReactElement } from 'react';
import { queryClient } from '../../../platform/query-client.ts';
import { ListPage } from '../../../shared/list/list-page.tsx';
import { prefetchList } from '../../../shared/list/list-query.ts';
import { refundColumns } from './refund-columns.tsx';
import { refundFilters } from './refund-filters.ts';

const RefundDetail = onDemand(
  () => import('./refund-detail.tsx').then((module) => module.RefundDetail),
  detailSkeleton,
);

/** Prefetches the rows for the search parameters. */
export const prefetch = (search: ListSearch): void => prefetchList(queryClient, refundEndpoints.list, search);

/** Receive money → Refunds. */
export function RefundListPage(): ReactElement {
  const t = useT();
  return (
    <ListPage
      name="refunds"
      exportAs="refunds"
      title="refunds.title"
      endpoint={refundEndpoints.list}
      rowKey={(row) => row.refund_no}
      columns={refundColumns}
      filters={refundFilters}
      topics={['collections']}
      sumLabel="refunds.sum"
      empty={{ text: 'refunds.empty' }}
      detail={{
        title: (refundNo) => t('refunds.order', { refund_no: refundNo }),
        render: (refundNo, row) => <RefundDetail refundNo={refundNo} row={row} />,
      }}
    />
  );
}
