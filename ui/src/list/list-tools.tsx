import { Fragment, type ReactElement, type ReactNode, useState } from 'react';
import { onDemand } from '../browser/on-demand.tsx';
import { Button, buttonClass } from '../controls/button.tsx';
import { Icon, type IconName } from '../controls/icon.tsx';
import { useNarrow } from '../controls/use-narrow.ts';
import { useT } from '../language/i18n.ts';
import { Menu } from '../overlays/menu.tsx';
import type { MenuEntry } from '../overlays/menu-entry.ts';
import { Popover } from '../overlays/popover.tsx';
import { ColumnForm, type ColumnFormProps } from './column-form.tsx';
import styles from './list-page.module.css';

/** A tool that the app adds to a list, such as its export. */
export interface ListTool {
  label: string;
  icon: IconName;
  /** The tool in a row of buttons. */
  button: ReactNode;
  /** The sheet or dialog behind its entry in the menu of a phone; `close` removes it. */
  open: (close: () => void) => ReactNode;
}

interface ListToolsProps<R> extends ColumnFormProps<R> {
  isFetching: boolean;
  onRefresh: () => void;
  /** Further tools, after the list's own. */
  tools: readonly ListTool[];
}

/** The tools of a list: columns, refresh, and the app's own. Buttons in a row, or one menu on a phone. */
export function ListTools<R>(props: ListToolsProps<R>): ReactElement {
  // No choice of columns if none can be hidden.
  const columns = props.columns.some(({ isFixed }) => !isFixed) ? props.columns : [];
  return useNarrow() ? <ToolMenu {...props} columns={columns} /> : <ToolBar {...props} columns={columns} />;
}

function ToolBar<R>({ isFetching, onRefresh, tools, ...form }: ListToolsProps<R>): ReactElement {
  const t = useT();
  return (
    <>
      {form.columns.length > 0 && (
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
          {() => <ColumnForm {...form} />}
        </Popover>
      )}
      <Button icon="refresh" aria-busy={isFetching} className={styles.refresh} onClick={onRefresh}>
        {t('ui.refresh')}
      </Button>
      {tools.map(({ label, button }) => (
        <Fragment key={label}>{button}</Fragment>
      ))}
    </>
  );
}

const Sheet = onDemand(async () => (await import('../overlays/overlays.ts')).Sheet);

function ToolMenu<R>({
  isFetching: _isFetching,
  onRefresh,
  tools,
  ...form
}: ListToolsProps<R>): ReactElement {
  const t = useT();
  const [opened, setOpened] = useState<string>();
  const close = () => setOpened(undefined);
  const columnsLabel = t('ui.columns');
  const entries: MenuEntry[] = [{ label: t('ui.refresh'), icon: 'refresh', onChosen: onRefresh }];
  if (form.columns.length > 0)
    entries.push({ label: columnsLabel, icon: 'columns', onChosen: () => setOpened(columnsLabel) });
  for (const { label, icon } of tools) entries.push({ label, icon, onChosen: () => setOpened(label) });
  return (
    <>
      <Menu label={t('ui.tools')} opener={<Icon name="more" size={20} />} entries={entries} />
      {opened === columnsLabel && (
        <Sheet title={columnsLabel} onClose={close}>
          <ColumnForm {...form} />
        </Sheet>
      )}
      {tools.find(({ label }) => label === opened)?.open(close)}
    </>
  );
}
