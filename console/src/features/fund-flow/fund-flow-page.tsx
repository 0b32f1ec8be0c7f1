import { fundFlowEndpoints } from '@hengfu/contract/fund-flow';
import type { ListSearch } from '@hengfu/ui/list/list-types.ts';
import { fundFlowFilters } from '@hengfu/ui/orders/fund-flow-filters.ts';
import type { ReactElement } from 'react';
import { queryClient } from '../../platform/query-client.ts';
import { ListPage } from '../../shared/list/list-page.tsx';
import { prefetchList } from '../../shared/list/list-query.ts';
import { AccountExplained } from './account-explained.tsx';
import { ArchivedHint } from './archived-hint.tsx';
import type { Range } from './fund-flow.api.ts';
import { fundFlowColumns } from './fund-flow-columns.tsx';
import { PhoneFold } from './phone-fold.tsx';
import { StatementSums } from './statement-sums.tsx';

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
      filters={fundFlowFilters}
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
