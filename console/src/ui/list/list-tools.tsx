import type { ExportList } from '@hengfu/contract/export-columns';
import { type ReactElement, useState } from 'react';
import { useT } from '../../platform/i18n.ts';
import { hasPerm, useUser } from '../../platform/session-store.ts';
import { Button, buttonClass } from '../button.tsx';
import { Icon } from '../icon.tsx';
import { Menu } from '../menu.tsx';
import type { MenuEntry } from '../menu-entry.ts';
import { onDemand } from '../on-demand.tsx';
import { Popover } from '../popover.tsx';
import { ColumnForm } from './column-form.tsx';
import { ExportButton, ExportDialog } from './export-button.tsx';
import styles from './list-page.module.css';
import { clearedFilters, filtersOf } from './list-search.ts';
import type {
  ChangeSearch,
  ListColumn,
  ListEndpoint,
  ListFilter,
  ListSearch,
  PathParams,
} from './list-types.ts';
import { SavedViews, type SavedViewsProps, Views } from './saved-views.tsx';
import type { ColumnChoice } from './use-columns.ts';
import { useNarrow } from './use-narrow.ts';

interface ListToolsProps<R> {
  /** Name of the list in exports; absent if it has neither exports nor views. */
  list: ExportList | undefined;
  endpoint: ListEndpoint<R>;
  filters: readonly ListFilter[];
  search: ListSearch;
  change: ChangeSearch;
  columns: readonly ListColumn<R>[];
  shown: readonly ListColumn<R>[];
  choice: ColumnChoice;
  /** Path parameters of the call; in an export they are filters like the others. */
  params: PathParams | undefined;
  nested: string | undefined;
  isFetching: boolean;
  onRefresh: () => void;
}

/** The tools of a list: columns, refresh, views, export. Buttons in a row, or one menu on a phone. */
export function ListTools<R>(props: ListToolsProps<R>): ReactElement {
  const { list, endpoint, filters, search, change, shown, choice, params, nested } = props;
  const filtered = nested === undefined ? filtersOf(endpoint.query, search) : {};
  const current = { filters: { ...filtered, ...params }, columns: shown.map(({ key }) => key) };
  const tools: Tools<R> = {
    choice,
    columns: props.columns.some(({ isFixed }) => !isFixed) ? props.columns : [],
    isFetching: props.isFetching,
    onRefresh: props.onRefresh,
    views: list !== undefined &&
      nested === undefined && {
        list,
        ...current,
        onChosen: (view) => {
          choice.show(view.columns);
          change({ ...clearedFilters(filters), ...view.filters });
        },
      },
    exported: list !== undefined && { list, ...current },
  };
  return useNarrow() ? <ToolMenu {...tools} /> : <ToolBar {...tools} />;
}

interface Tools<R> {
  choice: ColumnChoice;
  /** Empty if none can be hidden. */
  columns: readonly ListColumn<R>[];
  isFetching: boolean;
  onRefresh: () => void;
  views: SavedViewsProps | false;
  exported: Omit<SavedViewsProps, 'onChosen'> | false;
}

function ToolBar<R>({ choice, columns, isFetching, onRefresh, views, exported }: Tools<R>): ReactElement {
  const t = useT();
  return (
    <>
      {columns.length > 0 && (
        <Popover
          label={t('ui.columns')}
          openerClass={buttonClass('outline')}
          opener={
            <>
              <Icon name="columns" />
              {t('ui.columns')}
            </>
          }
        >
          {() => <ColumnForm columns={columns} choice={choice} />}
        </Popover>
      )}
      <Button icon="refresh" aria-busy={isFetching} className={styles.refresh} onClick={onRefresh}>
        {t('ui.refresh')}
      </Button>
      {views && <SavedViews {...views} />}
      {exported && <ExportButton {...exported} />}
    </>
  );
}

const Sheet = onDemand(async () => (await import('../overlays.ts')).Sheet);

function ToolMenu<R>({ choice, columns, onRefresh, views, exported }: Tools<R>): ReactElement {
  const t = useT();
  const canExport = hasPerm(useUser(), 'exports.create');
  const [opened, setOpened] = useState<'columns' | 'views' | 'export'>();
  const close = () => setOpened(undefined);
  const entries: (MenuEntry | false)[] = [
    { label: t('ui.refresh'), icon: 'refresh', onChosen: onRefresh },
    columns.length > 0 && { label: t('ui.columns'), icon: 'columns', onChosen: () => setOpened('columns') },
    views && { label: t('ui.views'), icon: 'bookmark', onChosen: () => setOpened('views') },
    exported &&
      canExport && { label: t('exports.action'), icon: 'table', onChosen: () => setOpened('export') },
  ];
  return (
    <>
      <Menu
        label={t('ui.tools')}
        opener={<Icon name="more" size={20} />}
        entries={entries.filter((entry) => entry !== false)}
      />
      {opened === 'columns' && (
        <Sheet title={t('ui.columns')} onClose={close}>
          <ColumnForm columns={columns} choice={choice} />
        </Sheet>
      )}
      {opened === 'views' && views && (
        <Sheet title={t('ui.views')} onClose={close}>
          <Views {...views} close={close} />
        </Sheet>
      )}
      {opened === 'export' && exported && <ExportDialog {...exported} onClose={close} />}
    </>
  );
}
