import { memo, type ReactElement, type ReactNode } from 'react';
import { useT } from '../../platform/i18n.ts';
import { CopyButton } from '../copy-button.tsx';
import styles from './list-table.module.css';
import type { ListColumn } from './list-types.ts';

export interface RowsProps<R> {
  rows: readonly R[];
  columns: readonly ListColumn<R>[];
  rowKey: (row: R) => string;
  /** How often each row changed while on screen; a change lights the row up. */
  changes: ReadonlyMap<string, number>;
  openKey: string | undefined;
  /** Address of a row's detail, and how to open it; absent for a list without details. */
  detail: { href(key: string): string; open(key: string): void } | undefined;
}

/** The rows as a table; for narrow screens there is {@link ListCards}. */
export function ListTable<R>({
  rows,
  columns,
  rowKey,
  changes,
  openKey,
  detail,
  caption,
}: RowsProps<R> & { caption: string }): ReactElement {
  const t = useT();
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.key} scope="col" data-align={column.align}>
              {t(column.title)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const key = rowKey(row);
          return (
            <Row
              key={key}
              row={row}
              id={key}
              columns={columns}
              changes={changes.get(key) ?? 0}
              isOpen={key === openKey}
              detail={detail}
            />
          );
        })}
      </tbody>
    </table>
  );
}

interface RowProps<R> {
  row: R;
  id: string;
  columns: readonly ListColumn<R>[];
  changes: number;
  isOpen: boolean;
  detail: RowsProps<R>['detail'];
}

function PlainRow<R>({ row, id, columns, changes, isOpen, detail }: RowProps<R>): ReactElement {
  return (
    <tr
      data-open={isOpen}
      // Two names of one animation take turns, or a second change would not start it again.
      data-changed={changes === 0 ? undefined : changes % 2}
      data-clickable={detail !== undefined}
      onClick={detail && ((event) => isPlainClick(event.target) && detail.open(id))}
    >
      {columns.map((column) => (
        <td key={column.key} data-align={column.align}>
          <Cell row={row} id={id} column={column} detail={detail} />
        </td>
      ))}
    </tr>
  );
}

/** A row renders again only when it changed. */
const Row = memo(PlainRow) as typeof PlainRow;

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
export function isPlainClick(target: EventTarget): boolean {
  if (!(target instanceof Element) || target.closest('a, button, input')) return false;
  return (getSelection()?.toString() ?? '') === '';
}
