import type { ChannelCode } from '@hengfu/contract/channels';
import type { BatchField } from '@hengfu/contract/payout-batch-rows';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { formatCount } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { type StatusLook, StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import { memo, type ReactElement, type Ref, useId } from 'react';
import { leaveOut, type RowState, type ValidatedRow } from '../batch-draft.ts';
import styles from '../batch-editor.module.css';
import { Cell } from './batch-cell.tsx';
import { noteCount, RowNotes } from './batch-row-notes.tsx';
import type { RowColumn } from './row-columns.ts';

interface RowProps {
  /** Measures the row's height. */
  ref: Ref<HTMLTableSectionElement>;
  /** Its position among the rows shown, from 0. */
  index: number;
  channel: ChannelCode;
  columns: readonly RowColumn[];
  row: ValidatedRow;
  /** False: its cells are text for some frames. */
  isReady: boolean;
}

const looks: Readonly<Record<RowState, StatusLook>> = {
  fine: { label: 'payoutBatches.fine', tone: 'good', icon: 'circleCheck' },
  faulty: { label: 'payoutBatches.faulty', tone: 'bad', icon: 'circleCross' },
  asked: { label: 'payoutBatches.asked', tone: 'waiting', icon: 'alert' },
  leftOut: { label: 'payoutBatches.leftOut', tone: 'calm', icon: 'circleDash' },
};

/** Rows before the first: the headings. */
const headingRows = 1;

/** A row of a draft: its state, its editable cells, and below them what is wrong with it. */
export const BatchTableRow = memo(function BatchTableRow(props: RowProps): ReactElement {
  const { ref, index, channel, columns, row, isReady } = props;
  const t = useT();
  const id = useId();
  const lineText = formatCount(row.line, useLanguage());
  const hasNotes = noteCount(row) > 0;
  const faultIdOf = (field: BatchField) =>
    row.state !== 'leftOut' && row.faults.has(field) ? `${id}-${field}` : undefined;
  return (
    <tbody ref={ref} data-index={index} data-state={row.state} data-noted={hasNotes}>
      <tr aria-rowindex={index + headingRows + 1}>
        <th scope="row">{row.line}</th>
        <td data-label={t('payoutBatches.state')}>{isReady && <RowStatus row={row} />}</td>
        {columns.map((column) => (
          <td
            key={column.field}
            data-label={column.label}
            className={isReady ? undefined : styles.text}
            data-field={isReady ? undefined : column.field}
          >
            {isReady ? (
              <Cell
                channel={channel}
                column={column}
                row={row}
                lineText={lineText}
                faultId={faultIdOf(column.field)}
              />
            ) : (
              row.fields[column.field]
            )}
          </td>
        ))}
      </tr>
      {hasNotes && (
        <tr>
          <td className={styles.noted} colSpan={columns.length + 2}>
            <RowNotes row={row} columns={columns} faultsId={id} />
          </td>
        </tr>
      )}
    </tbody>
  );
});

function RowStatus({ row: { line, state } }: Pick<RowProps, 'row'>): ReactElement {
  const t = useT();
  const isOut = state === 'leftOut';
  return (
    <div className={styles.status}>
      <StatusTag look={looks[state]} />
      <Button
        look="quiet"
        aria-label={t(isOut ? 'payoutBatches.takeInLine' : 'payoutBatches.leaveOutLine', { line })}
        onClick={() => leaveOut([line], !isOut)}
      >
        {t(isOut ? 'payoutBatches.takeIn' : 'payoutBatches.leaveOut')}
      </Button>
    </div>
  );
}
