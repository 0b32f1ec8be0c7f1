import { memo, type ReactElement } from 'react';
import { useT } from '../../platform/i18n.ts';
import styles from './list-table.module.css';
import { Cell, isPlainClick, type RowsProps } from './list-table.tsx';
import type { ListColumn } from './list-types.ts';

/** The rows as cards, for a screen that is too narrow for a table. */
export function ListCards<R>({
  rows,
  columns,
  rowKey,
  changes,
  openKey,
  detail,
  caption,
}: RowsProps<R> & { caption: string }): ReactElement {
  return (
    <ul className={styles.cards} aria-label={caption}>
      {rows.map((row) => {
        const key = rowKey(row);
        return (
          <Card
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
    </ul>
  );
}

interface CardProps<R> {
  row: R;
  id: string;
  columns: readonly ListColumn<R>[];
  changes: number;
  isOpen: boolean;
  detail: RowsProps<R>['detail'];
}

function PlainCard<R>({ row, id, columns, changes, isOpen, detail }: CardProps<R>): ReactElement {
  const t = useT();
  const at = (place: NonNullable<ListColumn<R>['card']>) =>
    columns.filter((column) => (column.card ?? 'line') === place);
  const cell = (column: ListColumn<R>) => (
    <Cell key={column.key} row={row} id={id} column={column} detail={detail} />
  );
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the link in the card does the same by keyboard.
    <li
      className={styles.card}
      data-open={isOpen}
      data-changed={changes === 0 ? undefined : changes % 2}
      onClick={detail && ((event) => isPlainClick(event.target) && detail.open(id))}
    >
      <div className={styles.head}>{at('lead').map(cell)}</div>
      <div className={styles.head}>
        <span className={styles.badges}>{at('badge').map(cell)}</span>
        <span className={styles.figure}>{at('figure').map(cell)}</span>
      </div>
      <dl className={styles.lines}>
        {at('line').map((column) => (
          <div key={column.key} className={styles.line}>
            <dt>{t(column.title)}</dt>
            <dd>{cell(column)}</dd>
          </div>
        ))}
      </dl>
    </li>
  );
}

const Card = memo(PlainCard) as typeof PlainCard;
