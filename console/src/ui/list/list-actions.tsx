import type { ExportList } from '@hengfu/contract/export-columns';
import type { ReactElement } from 'react';
import { ExportButton } from './export-button.tsx';
import { clearedFilters, filtersOf } from './list-search.ts';
import type {
  ChangeSearch,
  ListColumn,
  ListEndpoint,
  ListFilter,
  ListSearch,
  PathParams,
} from './list-types.ts';
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
  /** What is in the call's path: of an export a filter like the others. */
  params: PathParams | undefined;
  nested: string | undefined;
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
  params,
  nested,
}: ListActionsProps<R>): ReactElement {
  const filtered = nested === undefined ? filtersOf(endpoint.query, search) : {};
  const now = { filters: { ...filtered, ...params }, columns: shown.map(({ key }) => key) };
  return (
    <>
      {nested === undefined && (
        <SavedViews
          list={list}
          {...now}
          onChosen={(view) => {
            choice.show(view.columns);
            change({ ...clearedFilters(filters), ...view.filters });
          }}
        />
      )}
      <ExportButton list={list} {...now} />
    </>
  );
}
