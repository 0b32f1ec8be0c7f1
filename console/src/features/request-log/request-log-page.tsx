import { requestLogEndpoints, requestMethods, requestResults } from '@hengfu/contract/request-log';
import { onDemand } from '@hengfu/ui/browser/on-demand.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { detailSkeleton } from '@hengfu/ui/list/list-states.tsx';
import type { FilterNameOf, ListFilter, ListSearch } from '@hengfu/ui/list/list-types.ts';
import { statusOptions } from '@hengfu/ui/values/status-tag.tsx';
import type { ReactElement } from 'react';
import { queryClient } from '../../platform/query-client.ts';
import { ListPage } from '../../shared/list/list-page.tsx';
import { prefetchList } from '../../shared/list/list-query.ts';
import { requestLooks } from '../../shared/request-looks.ts';
import { KeptNote } from './kept-note.tsx';
import { requestColumns } from './request-columns.tsx';

const RequestDetail = onDemand(
  () => import('./request-detail.tsx').then((module) => module.RequestDetail),
  detailSkeleton,
);

const methodLabels = {
  GET: 'requestLog.methods.GET',
  POST: 'requestLog.methods.POST',
  PUT: 'requestLog.methods.PUT',
  DELETE: 'requestLog.methods.DELETE',
} as const;

const filters: readonly ListFilter<FilterNameOf<typeof requestLogEndpoints.list>>[] = [
  { kind: 'text', name: 'order_no', label: 'requestLog.order', isInline: true },
  { kind: 'text', name: 'request_id', label: 'requestLog.request_id', isInline: true },
  {
    kind: 'choice',
    name: 'result',
    label: 'requestLog.result',
    options: statusOptions(requestResults, requestLooks),
  },
  { kind: 'days', from: 'createdFrom', to: 'createdTo', label: 'requestLog.at' },
  {
    kind: 'choice',
    name: 'method',
    label: 'requestLog.method',
    options: requestMethods.map((value) => ({ value, label: methodLabels[value] })),
  },
  { kind: 'text', name: 'path', label: 'requestLog.path', match: 'beginning' },
  { kind: 'text', name: 'code', label: 'requestLog.code' },
  { kind: 'text', name: 'keyId', label: 'requestLog.keyId' },
  { kind: 'text', name: 'address', label: 'requestLog.address' },
];

/** Prefetches the rows for the search parameters. */
export const prefetch = (search: ListSearch): void =>
  prefetchList(queryClient, requestLogEndpoints.list, search);

/** Developers → Request log. */
export function RequestLogPage(): ReactElement {
  const t = useT();
  return (
    <ListPage
      name="requestLog"
      title="requestLog.title"
      endpoint={requestLogEndpoints.list}
      rowKey={(row) => row.request_id}
      columns={requestColumns}
      filters={filters}
      topics={[]}
      empty={{ text: 'requestLog.empty' }}
      above={(search) => <KeptNote search={search} />}
      detail={{
        title: (requestId) => t('requestLog.entry', { request_id: requestId }),
        render: (requestId) => <RequestDetail requestId={requestId} />,
      }}
    />
  );
}
