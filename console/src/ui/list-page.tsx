import type { Topic } from '@hengfu/contract/events';
import type { ExportList } from '@hengfu/contract/export-columns';
import type { PhraseKey } from '@hengfu/phrases/phrases';
import { type ReactElement, type ReactNode, useMemo } from 'react';
import { useT } from '../platform/i18n.ts';
import { FilterBar } from './list/filter-bar.tsx';
import { ListBody } from './list/list-body.tsx';
import styles from './list/list-page.module.css';
import { ListPager } from './list/list-pager.tsx';
import { filtersOf, openHref } from './list/list-search.ts';
import { ListSummary } from './list/list-summary.tsx';
import { ListTools } from './list/list-tools.tsx';
import type {
  FilterNameOf,
  ListColumn,
  ListEndpoint,
  ListFilter,
  ListSearch,
  PathParams,
} from './list/list-types.ts';
import { type ListDetail, OpenDetail } from './list/open-detail.tsx';
import { useColumns } from './list/use-columns.ts';
import { useList } from './list/use-list.ts';
import { useWarmFormats } from './use-warm-formats.ts';

/** Configuration of one list. */
export interface ListPageProps<R, E extends ListEndpoint<R>> {
  /** Storage key of the user's choice of columns. */
  name: string;
  title: PhraseKey;
  endpoint: E & ListEndpoint<R>;
  /** Path parameters of the endpoint. */
  params?: PathParams;
  rowKey: (row: R) => string;
  columns: readonly ListColumn<R>[];
  filters?: readonly ListFilter<FilterNameOf<E>>[];
  /** Live topics that can change the rows. */
  topics: readonly Topic[];
  /** Label of the sum in the reply; absent for a list without a sum. */
  sumLabel?: PhraseKey;
  /** Text for an empty list without filters, and an action that creates rows. */
  empty: { text: PhraseKey; action?: ReactNode };
  /** Content between the filters and the rows, depending on the filters. */
  above?: (search: ListSearch) => ReactNode;
  /** Name of the list in exports; absent if it can't be exported. */
  exportAs?: ExportList;
  /** Buttons beside the heading. */
  actions?: ReactNode;
  /**
   * Detail of the open row, which the address names (`?open=…`); `row` is undefined if it is not on this
   * page.
   */
  detail?: ListDetail<R>;
  /** For a list inside a detail: prefix of its search parameters. Its heading is one level lower. */
  nested?: string;
}

/**
 * The list page, used for every list. Filters, page, page size and the open row are kept only in the address.
 * Rows follow live events without moving while the user reads (list/held-page.ts).
 */
export function ListPage<R, E extends ListEndpoint<R>>(props: ListPageProps<R, E>): ReactElement {
  const { name, columns, filters = [], endpoint, params, rowKey, topics, nested, detail } = props;
  const t = useT();
  useWarmFormats();
  const list = useList({ endpoint, params, rowKey, topics, nested });
  const { shown, choice } = useColumns(name, columns);
  const { open, openKey, search, held } = list;
  // A stable object, because memoized rows compare it.
  const links = useMemo(() => ({ href: openHref, open }), [open]);
  const setFilters = useMemo(
    () => ({ ...(nested === undefined && filtersOf(endpoint.query, search)), ...params }),
    [nested, endpoint, search, params],
  );
  const Heading = nested === undefined ? 'h1' : 'h2';

  return (
    <div className={styles.list} data-nested={nested !== undefined}>
      <div className={styles.head}>
        <Heading>{t(props.title)}</Heading>
        <div className={styles.actions}>
          <ListTools
            list={props.exportAs}
            endpoint={endpoint}
            params={params}
            filters={filters}
            search={search}
            columns={columns}
            shown={shown}
            choice={choice}
            nested={nested}
            change={list.change}
            isFetching={list.isFetching}
            onRefresh={list.refresh}
          />
          {props.actions}
        </div>
      </div>
      {filters.length > 0 && <FilterBar filters={filters} search={search} change={list.change} />}
      {props.above?.(search)}
      {held.page && (
        <ListSummary page={held.page} list={props.exportAs} filters={setFilters} sumLabel={props.sumLabel} />
      )}
      <div className={styles.sheet}>
        <ListBody
          list={list}
          filters={filters}
          columns={shown}
          rowKey={rowKey}
          caption={t(props.title)}
          empty={props.empty}
          cursor={search.cursor}
          openKey={openKey}
          detail={detail && links}
        />
      </div>
      {held.page && (
        <ListPager page={held.page} limit={search.limit} cursor={search.cursor} change={list.change} />
      )}
      {detail && openKey !== undefined && (
        <OpenDetail
          detail={detail}
          openKey={openKey}
          rows={held.page?.data ?? []}
          rowKey={rowKey}
          open={open}
        />
      )}
    </div>
  );
}
