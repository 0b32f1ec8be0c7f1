import { auditActions, auditEndpoints } from '@hengfu/contract/audit-log';
import { onDemand } from '@hengfu/ui/browser/on-demand.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { detailSkeleton } from '@hengfu/ui/list/list-states.tsx';
import type { FilterNameOf, ListFilter, ListSearch } from '@hengfu/ui/list/list-types.ts';
import type { ReactElement } from 'react';
import { queryClient } from '../../platform/query-client.ts';
import { ListPage } from '../../shared/list/list-page.tsx';
import { prefetchList } from '../../shared/list/list-query.ts';
import { auditColumns } from './audit-columns.tsx';
import { RecordNote } from './record-note.tsx';

const AuditDetail = onDemand(
  () => import('./audit-detail.tsx').then((module) => module.AuditDetail),
  detailSkeleton,
);

const filters: readonly ListFilter<FilterNameOf<typeof auditEndpoints.list>>[] = [
  { kind: 'text', name: 'subject', label: 'auditLog.subject', isInline: true },
  {
    kind: 'choice',
    name: 'action',
    label: 'auditLog.action',
    options: auditActions.map((value) => ({ value, label: `auditLog.actions.${value}` as const })),
  },
  { kind: 'text', name: 'person', label: 'auditLog.person' },
  { kind: 'days', from: 'createdFrom', to: 'createdTo', label: 'auditLog.at' },
];

/** Prefetches the rows for the search parameters. */
export const prefetch = (search: ListSearch): void => prefetchList(queryClient, auditEndpoints.list, search);

/** Settings → Audit log. */
export function AuditLogPage(): ReactElement {
  const t = useT();
  return (
    <ListPage
      name="auditLog"
      exportAs="auditLog"
      title="auditLog.title"
      endpoint={auditEndpoints.list}
      rowKey={(row) => row.entry_no}
      columns={auditColumns}
      filters={filters}
      topics={[]}
      empty={{ text: 'auditLog.empty' }}
      above={(search) => <RecordNote search={search} />}
      detail={{
        title: (entryNo) => t('auditLog.entry', { entry_no: entryNo }),
        render: (entryNo, row) => <AuditDetail entryNo={entryNo} row={row} />,
      }}
    />
  );
}
