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
  /** Path parameters of the call; in an export they are filters like the others. */
  params: PathParams | undefined;
  nested: string | undefined;
}

/** Saves the list as currently shown as a view, or exports it. */
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
  const current = { filters: { ...filtered, ...params }, columns: shown.map(({ key }) => key) };
  return (
    <>
      {nested === undefined && (
        <SavedViews
          list={list}
          {...current}
          onChosen={(view) => {
            choice.show(view.columns);
            change({ ...clearedFilters(filters), ...view.filters });
          }}
        />
      )}
      <ExportButton list={list} {...current} />
    </>
  );
}
