import type { ReactElement, ReactNode } from 'react';
import { useT } from '../../platform/i18n.ts';
import { CopyButton } from '../copy-button.tsx';
import styles from './list-table.module.css';
import type { ListColumn } from './list-types.ts';

/** What a list's rows are shown from, as a table or as cards. */
export interface RowsProps<R> {
  rows: readonly R[];
  columns: readonly ListColumn<R>[];
  rowKey: (row: R) => string;
  /** How often each row changed while on screen; a change lights the row up. */
  changes: ReadonlyMap<string, number>;
  openKey: string | undefined;
  /** Address of a row's detail, and how to open it; absent for a list without details. */
  detail: { href(key: string): string; open(key: string): void } | undefined;
  /** What a screen reader calls them. */
  caption: string;
}

/** One of them. */
export interface RowProps<R> {
  row: R;
  id: string;
  columns: readonly ListColumn<R>[];
  changes: number;
  isOpen: boolean;
  detail: RowsProps<R>['detail'];
}

/** Shows each row by a component. */
export function eachRow<R>(
  { rows, columns, rowKey, changes, openKey, detail }: RowsProps<R>,
  Row: (props: RowProps<R>) => ReactElement,
): ReactElement[] {
  return rows.map((row) => {
    const key = rowKey(row);
    const props = { row, columns, detail, changes: changes.get(key) ?? 0, isOpen: key === openKey };
    return <Row key={key} id={key} {...props} />;
  });
}

/** What a row's element says of it, and what a click on it does. */
export function rowMarks<R>({ id, changes, isOpen, detail }: RowProps<R>) {
  return {
    'data-open': isOpen,
    // Two names of one animation take turns, or a second change would not start it again.
    'data-changed': changes === 0 ? undefined : changes % 2,
    'data-clickable': detail !== undefined,
    onClick: (event: { target: EventTarget }) => {
      if (isPlainClick(event.target)) detail?.open(id);
    },
  };
}

/** A cell's content: a link to the detail where the column opens it, and a copy button where it has one. */
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
  const copied = column.copy?.(row);
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
  if (!copied) return opener;
  return (
    <span className={styles.copied}>
      {opener}
      <CopyButton className={styles.copy} text={copied} name={t(column.title)} />
    </span>
  );
}

/** A click on the row itself: not on something in it that acts, and not the end of selecting text. */
function isPlainClick(target: EventTarget): boolean {
  if (!(target instanceof Element) || target.closest('a, button, input')) return false;
  return (getSelection()?.toString() ?? '') === '';
}
