import { type ChangeEvent, type KeyboardEvent, memo, type ReactElement } from 'react';
import { Checkbox } from '../controls/checkbox.tsx';
import { useT } from '../language/i18n.ts';
import { Hint } from '../overlays/hint.tsx';
import { Cell, type RowProps, type RowsProps, renderRows, rowAttributes } from './list-rows.tsx';
import styles from './list-table.module.css';
import { ListTotals } from './list-totals.tsx';
import type { ListColumn } from './list-types.ts';
import type { Selection } from './use-selection.ts';
import type { ColumnWidths } from './use-widths.ts';
import { WidthHandle } from './width-handle.tsx';

/** The rows as a table; narrow screens get {@link ListCards}. */
export function ListTable<R>(props: RowsProps<R>): ReactElement {
  const { rows, columns, rowKey, selection, widths } = props;
  const marked = selection ? rows.filter((row) => selection.keys.has(rowKey(row))) : [];
  return (
    <table
      className={styles.table}
      data-sized={widths.isSized}
      data-density={props.density}
      style={widths.isSized ? widthOf(props) : {}}
      onKeyDown={moveBetweenBoxes}
    >
      <caption className="visually-hidden">{props.caption}</caption>
      {widths.isSized && (
        <colgroup>
          {columns.map(({ key }) => (
            <col key={key} style={{ width: widths.widthOf(key) }} />
          ))}
        </colgroup>
      )}
      <thead>
        <tr>
          {columns.map((column, index) => (
            <Heading
              key={column.key}
              column={column}
              widths={widths}
              selection={index === 0 ? selection : undefined}
              count={rows.length}
            />
          ))}
        </tr>
      </thead>
      <tbody>{renderRows(props, Row)}</tbody>
      <ListTotals
        rows={marked.length > 0 ? marked : rows}
        columns={columns}
        isSelection={marked.length > 0}
      />
    </table>
  );
}

/** Columns of chosen widths may need more than the region has, which then scrolls. */
function widthOf<R>({ columns, widths }: RowsProps<R>) {
  return { width: columns.reduce((sum, { key }) => sum + widths.widthOf(key), 0) };
}

interface HeadingProps<R> {
  column: ListColumn<R>;
  widths: ColumnWidths;
  /** In the first column: marks all rows. */
  selection: Selection | undefined;
  /** Number of rows. */
  count: number;
}

function Heading<R>({ column, widths, selection, count }: HeadingProps<R>): ReactElement {
  const t = useT();
  const title = t(column.title);
  return (
    // Named by its title alone, which screen readers repeat with every cell.
    <th scope="col" data-key={column.key} data-align={column.align} aria-label={title}>
      {selection && (
        <SelectBox
          label={t('ui.selectAll')}
          checked={selection.keys.size === count}
          isPartly={selection.keys.size > 0 && selection.keys.size < count}
          isStop
          onChange={selection.toggleAll}
        />
      )}
      {title} {column.hint && <Hint label={title} text={t(column.hint)} />}
      <WidthHandle columnKey={column.key} widths={widths} />
    </th>
  );
}

interface SelectBoxProps {
  label: string;
  checked: boolean;
  isPartly?: boolean;
  /** Tab stops here; the arrow keys reach the others. */
  isStop?: boolean;
  onChange: (event: ChangeEvent<HTMLInputElement>) => void;
}

function SelectBox({ label, isPartly = false, isStop = false, ...rest }: SelectBoxProps): ReactElement {
  return (
    <Checkbox
      {...rest}
      className={styles.select}
      aria-label={label}
      tabIndex={isStop ? 0 : -1}
      isIndeterminate={isPartly}
    />
  );
}

/** Moves the focus from one box to the next by the arrow keys, so that Tab need not stop at every row. */
function moveBetweenBoxes(event: KeyboardEvent<HTMLElement>): void {
  const { target, currentTarget } = event;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const boxes = [...currentTarget.querySelectorAll<HTMLInputElement>(`input.${styles.select}`)];
  const place = boxes.indexOf(target as HTMLInputElement);
  if (step === undefined || place < 0) return;
  event.preventDefault();
  boxes[place + step]?.focus();
}

function PlainRow<R>(props: RowProps<R>): ReactElement {
  const { row, id, columns, detail, isSelected, select } = props;
  const t = useT();
  return (
    <tr {...rowAttributes(props)}>
      {columns.map((column, index) => (
        <td key={column.key} data-align={column.align}>
          {index === 0 && select && (
            <SelectBox
              label={t('ui.selectRow', { number: id })}
              checked={isSelected}
              onChange={({ nativeEvent }) =>
                select(id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
              }
            />
          )}
          <Cell row={row} id={id} column={column} detail={detail} />
        </td>
      ))}
    </tr>
  );
}

/** Memoized: a row renders again only if it changed. */
const Row = memo(PlainRow) as typeof PlainRow;
