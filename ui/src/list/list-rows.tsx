import type { ReactElement, ReactNode } from 'react';
import { CopyButton } from '../controls/copy-button.tsx';
import { useT } from '../language/i18n.ts';
import styles from './list-table.module.css';
import type { ListColumn } from './list-types.ts';
import type { Density } from './use-density.ts';
import type { Selection } from './use-selection.ts';
import type { ColumnWidths } from './use-widths.ts';

/** Props of the rows, as a table or as cards. */
export interface RowsProps<R> {
  rows: readonly R[];
  columns: readonly ListColumn<R>[];
  rowKey: (row: R) => string;
  /** Number of changes per row key while on screen; each change highlights the row. */
  changes: ReadonlyMap<string, number>;
  openKey: string | undefined;
  /** Address of a row's detail, and a function that opens it; absent for a list without details. */
  detail: { href(key: string): string; open(key: string): void } | undefined;
  /** Name of the list for screen readers. */
  caption: string;
  /** The rows that the user has marked; absent where none can be. */
  selection: Selection | undefined;
  /** The user's widths of the columns. */
  widths: ColumnWidths;
  /** The space around a row. */
  density: Density;
}

/** Props of one row. */
export interface RowProps<R> {
  row: R;
  id: string;
  columns: readonly ListColumn<R>[];
  changes: number;
  isOpen: boolean;
  detail: RowsProps<R>['detail'];
  isSelected: boolean;
  /** Marks the row or clears its mark; absent where rows can't be marked. */
  select: Selection['toggle'] | undefined;
}

/** Renders each row with a component. */
export function renderRows<R>(
  { rows, columns, rowKey, changes, openKey, detail, selection }: RowsProps<R>,
  Row: (props: RowProps<R>) => ReactElement,
): ReactElement[] {
  return rows.map((row) => {
    const key = rowKey(row);
    const props = {
      row,
      columns,
      detail,
      changes: changes.get(key) ?? 0,
      isOpen: key === openKey,
      isSelected: selection?.keys.has(key) ?? false,
      select: selection?.toggle,
    };
    return <Row key={key} id={key} {...props} />;
  });
}

/** The attributes of a row's element: its state, and the click that opens its detail. */
export function rowAttributes<R>({ id, changes, isOpen, isSelected, detail }: RowProps<R>) {
  return {
    'data-open': isOpen,
    'data-selected': isSelected,
    // Alternates between two names of the same animation, because a repeated name would not restart it.
    'data-changed': changes === 0 ? undefined : changes % 2,
    'data-clickable': detail !== undefined,
    onClick: (event: { target: EventTarget }) => {
      if (isPlainClick(event.target)) detail?.open(id);
    },
  };
}

/**
 * A cell's content: a link to the detail if the column is the opener, and a copy button if it has text to
 * copy.
 */
export function Cell<R>({
  row,
  id,
  column,
  detail,
}: {
  row: R;
  id: string;
  column: ListColumn<R>;
  detail: RowsProps<R>['detail'];
}): ReactNode {
  const t = useT();
  const copyText = column.copy?.(row);
  const content = column.render(row);
  const opener =
    column.isOpener && detail ? (
      <a
        className={styles.opener}
        href={detail.href(id)}
        aria-haspopup="dialog"
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
          event.preventDefault();
          detail.open(id);
        }}
      >
        {content}
      </a>
    ) : (
      content
    );
  if (!copyText) return opener;
  return (
    <span className={styles.copied}>
      {opener}
      <CopyButton className={styles.copy} text={copyText} name={t(column.title)} />
    </span>
  );
}

/** Whether a click is on the row itself, not on a control inside it, and not the end of a text selection. */
function isPlainClick(target: EventTarget): boolean {
  if (!(target instanceof Element) || target.closest('a, button, input')) return false;
  return (getSelection()?.toString() ?? '') === '';
}
