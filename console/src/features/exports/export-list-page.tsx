import { type ExportStatus, exportEndpoints, exportStatuses } from '@hengfu/contract/exports';
import { useT } from '@hengfu/ui/language/i18n.ts';
import type { FilterNameOf, ListFilter, ListSearch } from '@hengfu/ui/list/list-types.ts';
import { statusOptions } from '@hengfu/ui/values/status-tag.tsx';
import type { ReactElement } from 'react';
import { queryClient } from '../../platform/query-client.ts';
import { ListPage } from '../../shared/list/list-page.tsx';
import { prefetchList } from '../../shared/list/list-query.ts';
import { exportColumns } from './export-columns.tsx';
import { exportLooks } from './export-looks.ts';
import { ScheduledExports } from './scheduled-exports.tsx';

const filters: readonly ListFilter<FilterNameOf<typeof exportEndpoints.list>>[] = [
  {
    kind: 'choice',
    name: 'status',
    label: 'exports.statusLabel',
    options: statusOptions<ExportStatus>(exportStatuses, exportLooks),
  },
];

/** Prefetches the rows for the search parameters. */
export const prefetch = (search: ListSearch): void => prefetchList(queryClient, exportEndpoints.list, search);

/** Exports: requests, their progress, and the files. */
export function ExportListPage(): ReactElement {
  const t = useT();
  return (
    <ListPage
      name="exports"
      title="exports.title"
      endpoint={exportEndpoints.list}
      rowKey={(row) => row.export_no}
      columns={exportColumns}
      filters={filters}
      topics={['exports']}
      empty={{ text: 'exports.none', action: <p>{t('exports.noneNext')}</p> }}
      above={() => <ScheduledExports />}
    />
  );
}
