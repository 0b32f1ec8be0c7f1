import type { PhraseKey } from '@hengfu/phrases/phrases';
import { type ReactElement, type ReactNode, type RefObject, useMemo, useRef } from 'react';
import { useNarrow } from '../controls/use-narrow.ts';
import { useT } from '../language/i18n.ts';
import { useWarmFormats } from '../language/use-warm-formats.ts';
import { FilterBar } from './filter-bar.tsx';
import { ListBody } from './list-body.tsx';
import styles from './list-page.module.css';
import { ListPager } from './list-pager.tsx';
import { clearedFilters, filtersOf, openHref } from './list-search.ts';
import type { ListSource, QueryValues } from './list-source.ts';
import { ListSummary } from './list-summary.tsx';
import { type ListTool, ListTools } from './list-tools.tsx';
import type { ListColumn, ListFilter, ListSearch } from './list-types.ts';
import { type ListDetail, OpenDetail } from './open-detail.tsx';
import { type SelectedRows, SelectionBar } from './selection-bar.tsx';
import { useColumns } from './use-columns.ts';
import { useDensity } from './use-density.ts';
import { type ListState, useList } from './use-list.ts';
import { type Selection, useSelection } from './use-selection.ts';
import { shownWidths, useWidths } from './use-widths.ts';

/** The current content of a list. */
export interface ShownList {
  /** The filters that are set, with the values that the source fixes. */
  filters: QueryValues;
  /** Keys of the shown columns, in order. */
  columns: readonly string[];
  /** Sets filters and columns, and clears all others. */
  show(view: { filters: QueryValues; columns: readonly string[] }): void;
}

/** The description of a list, without its source. */
export interface ListLook<R, F extends string = string> {
  /** Storage key of the user's choice of columns. */
  name: string;
  title: PhraseKey;
  rowKey: (row: R) => string;
  columns: readonly ListColumn<R>[];
  filters?: readonly ListFilter<F>[];
  /** Label of the sum in the reply; absent for a list without a sum. */
  sumLabel?: PhraseKey;
  /** Text for an empty list without filters, and an action that creates rows. */
  empty: { text: PhraseKey; action?: ReactNode };
  /** Content between the filters and the rows, depending on the filters. */
  above?: (search: ListSearch) => ReactNode;
  /** Buttons beside the heading. */
  actions?: ReactNode;
  /**
   * Detail of the open row, which the address names (`?open=…`); `row` is undefined if it is not on this
   * page.
   */
  detail?: ListDetail<R>;
  /** For a list inside a detail: prefix of its search parameters. Its heading is one level lower. */
  nested?: string;
  /** Whether the list is a part of a page with a heading of its own. Its heading is one level lower. */
  isPart?: boolean;
  /** The app's own actions with marked rows, after copying. Rows can be marked in lists with details. */
  selectionActions?: ((rows: SelectedRows) => ReactNode) | undefined;
}

interface ListViewProps<R> extends ListLook<R> {
  source: ListSource<R>;
  /** The app's own tools for what is shown. */
  tools?: (shown: ShownList) => readonly ListTool[];
}

/**
 * The list, used for every page with rows. Filters, page, page size and the open row are kept only in the address.
 * Rows follow their source without moving while the user reads (held-page.ts).
 */
export function ListView<R>(props: ListViewProps<R>): ReactElement {
  const { name, source, columns, filters = [], rowKey, nested, detail } = props;
  const t = useT();
  useWarmFormats();
  const list = useList({ source, rowKey, nested });
  const { shown, choice } = useColumns(name, columns);
  const { open, openKey, search, held } = list;
  const widths = useWidths(name);
  const density = useDensity(name);
  const region = useRef<HTMLElement>(null);
  const selection = useRowSelection(list, props);
  // A stable object, because memoized rows compare it.
  const links = useMemo(() => ({ href: openHref, open }), [open]);
  const setFilters = useSetFilters(props, search);
  const show: ShownList['show'] = (view) => {
    choice.show(view.columns);
    list.change({ ...clearedFilters(filters), ...view.filters });
  };
  const tools = props.tools?.({ filters: setFilters, columns: shown.map(({ key }) => key), show });
  const Heading = nested !== undefined || props.isPart === true ? 'h2' : 'h1';

  return (
    <div className={styles.list} data-nested={nested !== undefined}>
      <div className={styles.head}>
        <Heading>{t(props.title)}</Heading>
        <div className={styles.actions}>
          <ListTools
            columns={columns}
            choice={choice}
            widths={widths}
            density={density}
            measure={() => shownWidths(region.current?.querySelector('table'))}
            isFetching={list.isFetching}
            onRefresh={list.refresh}
            tools={tools ?? []}
          />
          {props.actions}
        </div>
      </div>
      {filters.length > 0 && <FilterBar filters={filters} search={search} change={list.change} />}
      {props.above?.(search)}
      {!held.page && !list.error && <div className={styles.above} />}
      {held.page && (
        <SummaryLine selection={selection} region={region} actions={props.selectionActions}>
          <ListSummary page={held.page} source={source} filters={setFilters} sumLabel={props.sumLabel} />
        </SummaryLine>
      )}
      <div className={styles.sheet}>
        <ListBody
          list={list}
          explain={source.explain}
          filters={filters}
          columns={shown}
          rowKey={rowKey}
          caption={t(props.title)}
          empty={props.empty}
          cursor={search.cursor}
          openKey={openKey}
          detail={detail && links}
          selection={selection}
          widths={widths}
          density={density.chosen}
          region={region}
        />
      </div>
      {held.page && (held.page.data.length > 0 || search.cursor !== undefined || held.page.next !== null) && (
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

/** The filters that are set, those of the source included; a list in a detail has no others. */
function useSetFilters<R>({ nested, source }: ListViewProps<R>, search: ListState<R>['search']) {
  return useMemo(
    () => ({ ...(nested === undefined && filtersOf(source.query, search)), ...source.fixed }),
    [nested, source, search],
  );
}

/** The rows that are marked; undefined where none can be: in lists without details or inside one, in parts of pages, and on a phone. */
function useRowSelection<R>(
  { held, search }: ListState<R>,
  { rowKey, detail, nested, isPart = false }: ListLook<R>,
): Selection | undefined {
  const isNarrow = useNarrow();
  const shownKeys = useMemo(() => (held.page?.data ?? []).map(rowKey), [held.page, rowKey]);
  const selection = useSelection(shownKeys, JSON.stringify(search));
  return detail !== undefined && nested === undefined && !isPart && !isNarrow ? selection : undefined;
}

interface SummaryLineProps {
  selection: Selection | undefined;
  region: RefObject<HTMLElement | null>;
  actions: ((rows: SelectedRows) => ReactNode) | undefined;
  children: ReactNode;
}

/** The summary of the rows, covered by the bar of the marked ones if there are any. */
function SummaryLine({ selection, children, ...bar }: SummaryLineProps): ReactElement {
  return (
    <div className={styles.above}>
      {children}
      {selection && selection.keys.size > 0 && <SelectionBar selection={selection} {...bar} />}
    </div>
  );
}
