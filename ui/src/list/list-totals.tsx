import type { ReactElement } from 'react';
import { useT } from '../language/i18n.ts';
import { Money } from '../values/money.tsx';
import { sumAmounts } from '../values/sum-amounts.ts';
import type { ListColumn } from './list-types.ts';

interface ListTotalsProps<R> {
  rows: readonly R[];
  columns: readonly ListColumn<R>[];
  /** Whether the rows are those that the user has marked, and not the whole page. */
  isSelection: boolean;
}

/** A row with the sums of the rows on screen, or of those that are marked; nothing for fewer than two. */
export function ListTotals<R>({ rows, columns, isSelection }: ListTotalsProps<R>): ReactElement | null {
  const t = useT();
  if (rows.length < 2 || !columns.some(({ total }) => total)) return null;
  return (
    <tfoot>
      <tr>
        {columns.map(({ key, align, total }, index) => {
          const sum = total && sumAmounts(rows.map(total).filter((amount) => amount !== undefined));
          if (index === 0)
            return (
              <th key={key} scope="row">
                {t(isSelection ? 'ui.selectionTotal' : 'ui.pageTotal', { number: rows.length })}
              </th>
            );
          return (
            <td key={key} data-align={align}>
              {sum && <Money amount={sum.amount} currency={sum.currency} />}
            </td>
          );
        })}
      </tr>
    </tfoot>
  );
}
