import { approvalEndpoints, approvalViews } from '@hengfu/contract/approvals';
import { onDemand } from '@hengfu/ui/browser/on-demand.tsx';
import { usePageSearch } from '@hengfu/ui/browser/page-place.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { detailSkeleton } from '@hengfu/ui/list/list-states.tsx';
import type { ListSearch } from '@hengfu/ui/list/list-types.ts';
import { PartLinks } from '@hengfu/ui/page/part-links.tsx';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { queryClient } from '../../platform/query-client.ts';
import { ListPage } from '../../shared/list/list-page.tsx';
import { prefetchList } from '../../shared/list/list-query.ts';
import { approvalColumns } from './approval-columns.tsx';
import { approvalFilters } from './approval-filters.ts';
import { ApproveMany } from './deciding/approve-many.tsx';

const ApprovalDetail = onDemand(
  () => import('./approval-detail.tsx').then((module) => module.ApprovalDetail),
  detailSkeleton,
);

/** Prefetches the rows for the search parameters. */
export const prefetch = (search: ListSearch): void =>
  prefetchList(queryClient, approvalEndpoints.list, search);

/** Approvals: requests that wait for the user, that the user made, or all. */
export function ApprovalListPage(): ReactElement {
  const t = useT();
  // A view is of one person, and an export of everybody's rows: it has the filters alone.
  const { view } = usePageSearch();
  return (
    <ListPage
      name="approvals"
      {...(view === undefined && { exportAs: 'approvals' as const })}
      title="approvals.title"
      endpoint={approvalEndpoints.list}
      rowKey={(row) => row.request_no}
      columns={approvalColumns}
      filters={approvalFilters}
      topics={['approvals']}
      empty={{ text: 'approvals.empty' }}
      rowActions={({ keys }) => <ApproveMany requestNos={keys} />}
      above={(search) => <Views search={search} />}
      detail={{
        title: (requestNo) => t('approvals.request', { request_no: requestNo }),
        render: (requestNo, row) => <ApprovalDetail requestNo={requestNo} row={row} />,
      }}
    />
  );
}

/** Tabs for the user's own views; each is an address. */
function Views({ search }: { search: ListSearch }): ReactElement {
  const t = useT();
  return (
    <PartLinks label={t('approvals.viewLabel')}>
      {([...approvalViews, undefined] as const).map((view) => (
        <Link
          key={view ?? 'all'}
          to="/approvals"
          search={view === undefined ? {} : { view }}
          // Exact, because the router would mark the one without a view, too, whichever is open.
          activeOptions={{ exact: true }}
          aria-current={search.view === view ? 'page' : undefined}
          activeProps={{}}
        >
          {t(`approvals.views.${view ?? 'all'}`)}
        </Link>
      ))}
    </PartLinks>
  );
}
