import type { Topic } from '@hengfu/contract/events';
import type { ExportList } from '@hengfu/contract/export-columns';
import type { FilterNameOf } from '@hengfu/ui/list/list-types.ts';
import { type ListLook, ListView } from '@hengfu/ui/list/list-view.tsx';
import type { SelectedRows } from '@hengfu/ui/list/selection-bar.tsx';
import type { ReactElement, ReactNode } from 'react';
import { useLive } from '../../platform/live.ts';
import { listKey } from '../../platform/query-client.ts';
import { hasPerm, useUser } from '../../platform/session-store.ts';
import type { ListEndpoint, PathParams } from './list-query.ts';
import { useListSource } from './list-source.ts';
import { SaveRows } from './save-rows.tsx';
import { useListTools } from './use-list-tools.tsx';

/** Configuration of one list. */
interface ListPageProps<R, E extends ListEndpoint<R>> extends ListLook<R, FilterNameOf<E>> {
  endpoint: E & ListEndpoint<R>;
  /** Path parameters of the endpoint. */
  params?: PathParams;
  /** Live topics that can change the rows. */
  topics: readonly Topic[];
  /** Name of the list in exports; absent if it has neither exports nor views. */
  exportAs?: ExportList;
  /** Renders the actions for the marked rows, besides saving them. */
  rowActions?: (rows: SelectedRows) => ReactNode;
}

/** The list page, used for every list of an endpoint. Its rows follow live events. */
export function ListPage<R, E extends ListEndpoint<R>>({
  endpoint,
  params,
  topics,
  exportAs,
  rowActions,
  ...look
}: ListPageProps<R, E>): ReactElement {
  const source = useListSource(endpoint, params, exportAs);
  const tools = useListTools(exportAs, look.nested);
  useLive(topics, listKey(endpoint));
  const canSave = hasPerm(useUser(), 'exports.create') && exportAs !== undefined;
  return (
    <ListView
      {...look}
      source={source}
      tools={tools}
      selectionActions={(rows) => (
        <>
          {rowActions?.(rows)}
          {canSave && <SaveRows name={look.name} rows={rows} />}
        </>
      )}
    />
  );
}
