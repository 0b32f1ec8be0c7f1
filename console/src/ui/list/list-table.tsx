import { memo, type ReactElement } from 'react';
import { useT } from '../../platform/i18n.ts';
import { Hint } from '../hint.tsx';
import { Cell, type RowProps, type RowsProps, renderRows, rowAttributes } from './list-rows.tsx';
import styles from './list-table.module.css';

/** The rows as a table; narrow screens get {@link ListCards}. */
export function ListTable<R>(props: RowsProps<R>): ReactElement {
  const t = useT();
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">{props.caption}</caption>
      <thead>
        <tr>
          {props.columns.map((column) => (
            <th key={column.key} scope="col" data-align={column.align}>
              {t(column.title)} {column.hint && <Hint label={t(column.title)} text={t(column.hint)} />}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{renderRows(props, Row)}</tbody>
    </table>
  );
}

function PlainRow<R>(props: RowProps<R>): ReactElement {
  const { row, id, columns, detail } = props;
  return (
    <tr {...rowAttributes(props)}>
      {columns.map((column) => (
        <td key={column.key} data-align={column.align}>
          <Cell row={row} id={id} column={column} detail={detail} />
        </td>
      ))}
    </tr>
  );
}

/** Memoized: a row renders again only if it changed. */
const Row = memo(PlainRow) as typeof PlainRow;
