import { linkStates, paymentLinkEndpoints } from '@hengfu/contract/payment-links';
import { onDemand } from '@hengfu/ui/browser/on-demand.tsx';
import { buttonClass } from '@hengfu/ui/controls/button.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { detailSkeleton } from '@hengfu/ui/list/list-states.tsx';
import type { FilterNameOf, ListFilter, ListSearch } from '@hengfu/ui/list/list-types.ts';
import { statusOptions } from '@hengfu/ui/values/status-tag.tsx';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { queryClient } from '../../platform/query-client.ts';
import { HasPerm } from '../../platform/session-store.ts';
import { ListPage } from '../../shared/list/list-page.tsx';
import { prefetchList } from '../../shared/list/list-query.ts';
import { linkColumns } from './link-columns.tsx';
import { linkLooks } from './link-looks.ts';

const LinkDetail = onDemand(
  () => import('./link-detail.tsx').then((module) => module.LinkDetail),
  detailSkeleton,
);

const filters: readonly ListFilter<FilterNameOf<typeof paymentLinkEndpoints.list>>[] = [
  { kind: 'text', name: 'title', label: 'paymentLinks.name', isInline: true },
  {
    kind: 'choice',
    name: 'state',
    label: 'paymentLinks.stateLabel',
    options: statusOptions(linkStates, linkLooks),
  },
];

/** Prefetches the rows for the search parameters. */
export const prefetch = (search: ListSearch): void =>
  prefetchList(queryClient, paymentLinkEndpoints.list, search);

/** Receive money → Payment links. */
export function LinkListPage(): ReactElement {
  const t = useT();
  const create = (
    <HasPerm any={['collections.create']}>
      <Link to="/collection/editLink" className={buttonClass('primary')}>
        {t('paymentLinks.create')}
      </Link>
    </HasPerm>
  );
  return (
    <ListPage
      name="paymentLinks"
      title="paymentLinks.title"
      endpoint={paymentLinkEndpoints.list}
      rowKey={(row) => row.link_no}
      columns={linkColumns}
      filters={filters}
      topics={['collections']}
      sumLabel="paymentLinks.sum"
      actions={create}
      empty={{ text: 'paymentLinks.empty' }}
      detail={{
        title: (linkNo) => t('paymentLinks.order', { title: linkNo }),
        render: (linkNo, row) => <LinkDetail linkNo={linkNo} row={row} />,
      }}
    />
  );
}
