import type { ExportList } from '@hengfu/contract/export-columns';
import type { ReactElement } from 'react';
import { ExportButton } from './export-button.tsx';
import { clearedFilters, filtersOf } from './list-search.ts';
import type { ChangeSearch, ListColumn, ListEndpoint, ListFilter, ListSearch } from './list-types.ts';
import { SavedViews } from './saved-views.tsx';
import type { ColumnChoice } from './use-columns.ts';

interface ListActionsProps<R> {
  list: ExportList;
  endpoint: ListEndpoint<R>;
  filters: readonly ListFilter[];
  search: ListSearch;
  change: ChangeSearch;
  shown: readonly ListColumn<R>[];
  choice: ColumnChoice;
}

/** What can be done with a list as it is shown: kept as a view, exported. */
export function ListActions<R>({
  list,
  endpoint,
  filters,
  search,
  change,
  shown,
  choice,
}: ListActionsProps<R>): ReactElement {
  const now = { filters: filtersOf(endpoint.query, search), columns: shown.map(({ key }) => key) };
  return (
    <>
      <SavedViews
        list={list}
        {...now}
        onChosen={(view) => {
          choice.show(view.columns);
          change({ ...clearedFilters(filters), ...view.filters });
        }}
      />
      <ExportButton list={list} {...now} />
    </>
  );
}
