import { memo, type ReactElement } from 'react';
import { useT } from '../language/i18n.ts';
import { Cell, type RowProps, type RowsProps, renderRows, rowAttributes } from './list-rows.tsx';
import styles from './list-table.module.css';
import type { ListColumn } from './list-types.ts';

/** The rows as cards, for narrow screens. */
export function ListCards<R>(props: RowsProps<R>): ReactElement {
  return (
    <ul className={styles.cards} data-density={props.density} aria-label={props.caption}>
      {renderRows(props, Card)}
    </ul>
  );
}

function PlainCard<R>(props: RowProps<R>): ReactElement {
  const { row, id, columns, detail } = props;
  const t = useT();
  const at = (place: NonNullable<ListColumn<R>['card']>) =>
    columns.filter((column) => (column.card ?? 'line') === place);
  const cell = (column: ListColumn<R>) => (
    <Cell key={column.key} row={row} id={id} column={column} detail={detail} />
  );
  return (
    <li className={styles.card} {...rowAttributes(props)}>
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
