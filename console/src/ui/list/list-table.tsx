import { memo, type ReactElement } from 'react';
import { useT } from '../../platform/i18n.ts';
import { Hint } from '../hint.tsx';
import { Cell, eachRow, type RowProps, type RowsProps, rowMarks } from './list-rows.tsx';
import styles from './list-table.module.css';

/** The rows as a table; for narrow screens there is {@link ListCards}. */
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
      <tbody>{eachRow(props, Row)}</tbody>
    </table>
  );
}

function PlainRow<R>(props: RowProps<R>): ReactElement {
  const { row, id, columns, detail } = props;
  return (
    <tr {...rowMarks(props)}>
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
