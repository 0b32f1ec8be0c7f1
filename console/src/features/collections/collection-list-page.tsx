import { collectionEndpoints } from '@hengfu/contract/collections';
import { onDemand } from '@hengfu/ui/browser/on-demand.tsx';
import { buttonClass } from '@hengfu/ui/controls/button.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { detailSkeleton } from '@hengfu/ui/list/list-states.tsx';
import type { ListSearch } from '@hengfu/ui/list/list-types.ts';
import { collectionFilters } from '@hengfu/ui/orders/collection-filters.ts';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useMemo } from 'react';
import { queryClient } from '../../platform/query-client.ts';
import { HasPerm, useUser } from '../../platform/session-store.ts';
import { ListPage } from '../../shared/list/list-page.tsx';
import { prefetchList } from '../../shared/list/list-query.ts';
import { NextStep } from '../../shared/list/next-step.tsx';
import { collectionColumns } from './collection-columns.tsx';

const CollectionDetail = onDemand(
  () => import('./collection-detail.tsx').then((module) => module.CollectionDetail),
  detailSkeleton,
);

/** Finds the payments of a payment link. */
const linkFilter = { kind: 'text', name: 'link', label: 'paymentLinks.link_no' } as const;

/** Prefetches the rows for the search parameters. */
export const prefetch = (search: ListSearch): void =>
  prefetchList(queryClient, collectionEndpoints.list, search);

/** Receive money → Transactions. */
export function CollectionListPage(): ReactElement {
  const t = useT();
  const { currency } = useUser().merchant;
  const filters = useMemo(() => [...collectionFilters(currency), linkFilter], [currency]);
  return (
    <ListPage
      name="collections"
      exportAs="collections"
      title="collections.title"
      endpoint={collectionEndpoints.list}
      rowKey={(row) => row.trade_no}
      columns={collectionColumns}
      filters={filters}
      topics={['collections']}
      sumLabel="collections.sum"
      actions={
        <HasPerm any={['collections.create']}>
          <Link to="/collection/new" className={buttonClass('primary')}>
            {t('collections.create')}
          </Link>
        </HasPerm>
      }
      empty={{
        text: 'collections.empty',
        action: <NextStep to="/setting/interfaceKey" perm="access.read" title="accessKey.title" />,
      }}
      detail={{
        title: (tradeNo) => t('collections.order', { trade_no: tradeNo }),
        render: (tradeNo, row) => <CollectionDetail tradeNo={tradeNo} row={row} />,
      }}
    />
  );
}
