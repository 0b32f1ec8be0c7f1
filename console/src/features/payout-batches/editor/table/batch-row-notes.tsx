import type { ErrorCode } from '@hengfu/contract/errors';
import type { PhraseKey } from '@hengfu/phrases/phrases';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { translateIssue, useT } from '@hengfu/ui/language/i18n.ts';
import type { ReactElement } from 'react';
import { confirmRows, type ValidatedRow } from '../batch-draft.ts';
import styles from '../batch-editor.module.css';
import type { RowColumn } from './row-columns.ts';

/** Why a row failed in an earlier batch. Leaves out reasons that the check finds again at the row itself. */
const reasons: Readonly<Partial<Record<ErrorCode, PhraseKey>>> = {
  insufficient_funds: 'errors.insufficient_funds',
  limit_exceeded: 'errors.limit_exceeded',
  channel_closed: 'errors.channel_closed',
  internal: 'errors.internal',
};

/** The number of remarks on a row. */
export function noteCount({ state, reason, similar, isNewAccount, faults }: ValidatedRow): number {
  const earlier = reason !== undefined && reasons[reason] !== undefined ? 1 : 0;
  if (state === 'leftOut') return earlier;
  return earlier + faults.size + (similar === undefined ? 0 : 1) + (isNewAccount ? 1 : 0);
}

interface RowNotesProps {
  row: ValidatedRow;
  /** The columns, in their order. */
  columns: readonly RowColumn[];
  /** Begins the ids of the faults, which the cells refer to. */
  faultsId: string;
}

/** The errors of a row and other remarks on it: one line each, below its cells. */
export function RowNotes({ row, columns, faultsId }: RowNotesProps): ReactElement {
  const t = useT();
  const { state, reason, faults, isNewAccount, isChangedAccount } = row;
  const isOut = state === 'leftOut';
  const why = reason && reasons[reason];
  return (
    <div className={styles.notes}>
      {!isOut &&
        columns.map(({ field, label }) => {
          const message = faults.get(field);
          return (
            message !== undefined && (
              <p key={field} className={styles.fault}>
                <strong>{label}</strong> <span id={`${faultsId}-${field}`}>{translateIssue(message)}</span>
              </p>
            )
          );
        })}
      {why && <p className={styles.mark}>{t(why)}</p>}
      {!isOut && <Similar row={row} />}
      {!isOut && isNewAccount && (
        <p className={styles.mark}>
          {t(isChangedAccount ? 'payoutBatches.changedAccount' : 'payoutBatches.newAccount')}
        </p>
      )}
    </div>
  );
}

/** Names the earlier payment that a row looks like, and lets the user confirm the row. */
function Similar({ row: { line, similar, isConfirmed } }: { row: ValidatedRow }): ReactElement | null {
  const t = useT();
  if (!similar) return null;
  const { trade_no, earlierLine, isUnknown } = similar;
  const text =
    trade_no === null
      ? t('payoutBatches.similarLine', { line: earlierLine ?? '' })
      : t(isUnknown ? 'payoutBatches.similarUnknown' : 'payoutBatches.similarTo', { trade_no });
  return (
    <div className={styles.similar}>
      <span className={styles.mark}>{text}</span>
      {isConfirmed && !isUnknown && <span>{t('payoutBatches.isMeant')}</span>}
      {!isConfirmed && !isUnknown && (
        <Button onClick={() => confirmRows([line])}>{t('payoutBatches.meant')}</Button>
      )}
    </div>
  );
}
