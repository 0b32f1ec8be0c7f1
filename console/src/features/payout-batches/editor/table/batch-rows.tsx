import type { BatchField } from '@hengfu/contract/payout-batch-rows';
import { useNarrow } from '@hengfu/ui/controls/use-narrow.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { type ClipboardEvent, type ReactElement, useMemo, useRef } from 'react';
import { type Draft, editCells, type ValidatedRow } from '../batch-draft.ts';
import styles from '../batch-editor.module.css';
import { placeCells, readClipboard } from './batch-paste.rules.ts';
import { BatchTableRow } from './batch-table-row.tsx';
import { useRowColumns } from './row-columns.ts';
import { useCellKeys } from './use-cell-keys.ts';
import { useVirtualRows } from './use-virtual-rows.ts';

interface BatchRowsProps {
  draft: Draft;
  rows: readonly ValidatedRow[];
}

/** Widths of the columns in pixels, whatever rows are on screen. A wider table widens all of them. */
const widths: Readonly<Record<BatchField | 'line' | 'state', number>> = {
  line: 64,
  state: 228,
  payee: 150,
  payeeAccount: 216,
  bank: 230,
  bankName: 190,
  branchName: 170,
  ifsc: 140,
  accountType: 150,
  taxId: 190,
  amount: 130,
  remark: 170,
  out_trade_no: 180,
};

/** The rows of a draft in a table that scrolls by itself and holds only the rows on screen. On a phone a row is a card. */
export function BatchRows({ draft: { channel, name }, rows }: BatchRowsProps): ReactElement {
  const t = useT();
  const scrollRef = useRef<HTMLDivElement>(null);
  const isNarrow = useNarrow();
  const shownColumns = useRowColumns(channel);
  const fields = useMemo(() => shownColumns.map(({ field }) => field), [shownColumns]);
  const { parts, measure, goTo, ...focus } = useVirtualRows({ rows, scrollRef, fields, isNarrow });
  const onKeyDown = useCellKeys(rows.length, goTo);
  const onPaste = (event: ClipboardEvent) => {
    const { target } = event;
    if (!(target instanceof HTMLElement)) return;
    const cells = readClipboard(event.clipboardData.getData('text'));
    const field = fields.find((one) => one === target.dataset.field);
    const row = rows[Number(target.closest('tbody')?.dataset.index)];
    if (!cells || !field || !row) return;
    event.preventDefault();
    editCells(placeCells(cells, { lines: rows.map(({ line }) => line), fields, line: row.line, field }));
  };
  const columns = ['line', 'state', ...fields] as const;
  return (
    // A region that scrolls has to be reachable by keyboard; its cells are.
    <div ref={scrollRef} className={styles.scroll}>
      <table
        className={styles.rows}
        {...(!isNarrow && { style: { minWidth: columns.reduce((sum, column) => sum + widths[column], 0) } })}
        aria-label={t('payoutBatches.tableTitle', { name })}
        aria-rowcount={rows.length + 1}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        {...focus}
      >
        <colgroup>
          {columns.map((column) => (
            <col key={column} style={{ width: widths[column] }} />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            <th data-align="end">{t('payoutBatches.line')}</th>
            <th>{t('payoutBatches.state')}</th>
            {fields.map((field) => (
              <th key={field} data-align={field === 'amount' ? 'end' : undefined}>
                {t(`payoutBatches.column.${field}`)}
              </th>
            ))}
          </tr>
        </thead>
        {parts.map((part) =>
          'gap' in part ? (
            <tbody key={part.key} className={styles.gap} aria-hidden>
              <tr>
                <td colSpan={columns.length} style={{ height: part.gap }} />
              </tr>
            </tbody>
          ) : (
            <BatchTableRow
              key={part.row.line}
              ref={measure}
              index={part.index}
              channel={channel}
              columns={shownColumns}
              row={part.row}
              isReady={part.isReady}
            />
          ),
        )}
      </table>
    </div>
  );
}
