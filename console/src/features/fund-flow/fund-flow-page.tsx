import { fundFlowEndpoints, fundFlowTypes } from '@hengfu/contract/fund-flow';
import type { FilterNameOf, ListFilter, ListSearch } from '@hengfu/ui/list/list-types.ts';
import type { ReactElement } from 'react';
import { queryClient } from '../../platform/query-client.ts';
import { ListPage } from '../../shared/list/list-page.tsx';
import { prefetchList } from '../../shared/list/list-query.ts';
import { AccountExplained } from './account-explained.tsx';
import { ArchivedHint } from './archived-hint.tsx';
import type { Range } from './fund-flow.api.ts';
import { fundFlowColumns, typeLabels } from './fund-flow-columns.tsx';
import { PhoneFold } from './phone-fold.tsx';
import { StatementSums } from './statement-sums.tsx';

const filters: readonly ListFilter<FilterNameOf<typeof fundFlowEndpoints.list>>[] = [
  { kind: 'text', name: 'subject_no', match: 'beginning', label: 'fundFlow.subject_no', isInline: true },
  {
    kind: 'choice',
    name: 'type',
    label: 'fundFlow.typeLabel',
    options: fundFlowTypes.map((value) => ({ value, label: typeLabels[value] })),
  },
  { kind: 'days', from: 'createdFrom', to: 'createdTo', label: 'fundFlow.createdAt' },
];

/** Prefetches the rows for the search parameters. */
export const prefetch = (search: ListSearch): void =>
  prefetchList(queryClient, fundFlowEndpoints.list, search);

/** Funds → Transactions: the statement of available funds. */
export function FundFlowPage(): ReactElement {
  return (
    <ListPage
      name="fundFlow"
      exportAs="fundFlow"
      title="fundFlow.title"
      endpoint={fundFlowEndpoints.list}
      rowKey={(row) => row.entry_no}
      columns={fundFlowColumns}
      filters={filters}
      topics={['account']}
      sumLabel="fundFlow.sum"
      empty={{ text: 'fundFlow.empty' }}
      above={(search) => (
        <>
          <PhoneFold>
            <AccountExplained />
            <StatementSums range={rangeOf(search)} />
          </PhoneFold>
          <ArchivedHint search={search} />
        </>
      )}
    />
  );
}

function rangeOf({ createdFrom, createdTo }: ListSearch): Range {
  return { ...(createdFrom && { createdFrom }), ...(createdTo && { createdTo }) };
}
