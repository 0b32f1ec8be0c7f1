import type { Topic } from '@hengfu/contract/events';
import type { ExportList } from '@hengfu/contract/export-columns';
import type { PhraseKey } from '@hengfu/phrases/phrases';
import { type ReactElement, type ReactNode, useMemo } from 'react';
import { useT } from '../platform/i18n.ts';
import { Button } from './button.tsx';
import { ColumnChooser } from './list/column-chooser.tsx';
import { FilterBar } from './list/filter-bar.tsx';
import { ListActions } from './list/list-actions.tsx';
import { ListBody } from './list/list-body.tsx';
import styles from './list/list-page.module.css';
import { ListPager } from './list/list-pager.tsx';
import { openHref } from './list/list-search.ts';
import { ListSummary } from './list/list-summary.tsx';
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

/** Everything that lists differ in. */
export interface ListPageProps<R, E extends ListEndpoint<R>> {
  /** The reader's choice of columns is kept under it. */
  name: string;
  title: PhraseKey;
  endpoint: E & ListEndpoint<R>;
  /** What goes into the endpoint's path. */
  params?: PathParams;
  rowKey: (row: R) => string;
  columns: readonly ListColumn<R>[];
  filters?: readonly ListFilter<FilterNameOf<E>>[];
  /** Live topics after which the rows may differ. */
  topics: readonly Topic[];
  /** Names the sum that comes with the rows; a list without a sum has none. */
  sumLabel?: PhraseKey;
  /** Why a list without filters is empty, and what brings rows. */
  empty: { text: PhraseKey; action?: ReactNode };
  /** What stands between the filters and the rows, by the filters that are set. */
  above?: (search: ListSearch) => ReactNode;
  /** Under which name it can be exported; absent for a list that can't. */
  exportAs?: ExportList;
  /** Buttons beside the heading. */
  actions?: ReactNode;
  /** What opens when a row is chosen; the address names it (`?open=…`). `row` is undefined if it is not on this page. */
  detail?: ListDetail<R>;
  /** A list inside a detail: no heading, and its position stands in the address under this name. */
  nested?: string;
}

/**
 * The one list of the product. Filters, page, page size and the open row live in the address alone; rows follow live
 * events without moving under the reader's eyes (list/held-page.ts).
 */
export function ListPage<R, E extends ListEndpoint<R>>(props: ListPageProps<R, E>): ReactElement {
  const { name, columns, filters = [], endpoint, params, rowKey, topics, nested, detail } = props;
  const t = useT();
  useWarmFormats();
  const list = useList({ endpoint, params, rowKey, topics, nested });
  const { shown, choice } = useColumns(name, columns);
  const { open, openKey, search, held } = list;
  // The same object every time: memoised rows compare it.
  const links = useMemo(() => ({ href: openHref, open }), [open]);
  const Heading = nested === undefined ? 'h1' : 'h2';

  return (
    <div className={styles.list} data-nested={nested !== undefined}>
      <div className={styles.head}>
        <Heading>{t(props.title)}</Heading>
        <div className={styles.actions}>
          {columns.some(({ isFixed }) => !isFixed) && <ColumnChooser columns={columns} choice={choice} />}
          <Button
            icon="refresh"
            aria-busy={list.isFetching}
            className={styles.refresh}
            onClick={list.refresh}
          >
            {t('ui.refresh')}
          </Button>
          {props.exportAs && (
            <ListActions
              list={props.exportAs}
              endpoint={endpoint}
              params={params}
              filters={filters}
              search={search}
              shown={shown}
              choice={choice}
              nested={nested}
              change={list.change}
            />
          )}
          {props.actions}
        </div>
      </div>
      {filters.length > 0 && <FilterBar filters={filters} search={search} change={list.change} />}
      {props.above?.(search)}
      {held.page && <ListSummary page={held.page} sumLabel={props.sumLabel} />}
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
