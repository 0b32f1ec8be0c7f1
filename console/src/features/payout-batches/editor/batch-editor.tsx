import { Button } from '@hengfu/ui/controls/button.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { formatCount } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useDeferredValue, useMemo, useState } from 'react';
import { useLive } from '../../../platform/live.ts';
import { Failure } from '../../../shared/failure.tsx';
import { checkOptions } from '../payout-batch-check.api.ts';
import { BatchBar } from './batch-bar.tsx';
import { BatchConfirm } from './batch-confirm.tsx';
import { Coverage } from './batch-coverage.tsx';
import {
  confirmRows,
  type Draft,
  dropDraft,
  leaveOut,
  type RowState,
  type ValidatedRow,
  validateRows,
} from './batch-draft.ts';
import styles from './batch-editor.module.css';
import { OwnColumns } from './own-columns.tsx';
import { BatchTable } from './table/batch-table.tsx';

/** Shows a file's rows with their faults, to be corrected in place and confirmed together. */
export function BatchEditor({ draft }: { draft: Draft }): ReactElement {
  const navigate = useNavigate();
  const [isConfirming, setConfirming] = useState(false);
  const { data: checked, error, refetch } = useQuery(checkOptions(useDeferredValue(draft)));
  useLive(['account'], checkOptions(draft).queryKey);
  const rows = useMemo(() => validateRows(draft, checked), [draft, checked]);
  const count = (state: RowState) => rows.filter((row) => row.state === state).length;
  // A check that runs again, because the account has changed, holds nobody up: the server checks once more.
  const isFresh = checked?.version === draft.version;
  const isReady = isFresh && checked.count > 0 && count('faulty') === 0 && count('asked') === 0;
  return (
    <div className={styles.editor}>
      {error && <Failure error={error} isStale={checked !== undefined} onRetry={() => void refetch()} />}
      {draft.columns.length > 0 && <OwnColumns draft={draft} />}
      <BatchBar
        draft={draft}
        checked={checked}
        wrongCount={count('faulty')}
        isChecking={!isFresh}
        isReady={isReady}
        onGo={() => setConfirming(true)}
      />
      <div className={styles.notices}>
        {checked && <Coverage checked={checked} wrongCount={count('faulty')} />}
        <ToDo rows={rows} />
      </div>
      <BatchTable draft={draft} rows={rows} />
      {isConfirming && checked && (
        <BatchConfirm
          draft={draft}
          checked={checked}
          onClose={() => setConfirming(false)}
          onMade={({ batch_no }) => {
            dropDraft();
            void navigate({ to: '/behalfPay/apply', search: { mode: 'batch', batch: batch_no } });
          }}
        />
      )}
    </div>
  );
}

/** Lists what blocks the batch, each with a button that resolves it. */
function ToDo({ rows }: { rows: readonly ValidatedRow[] }): ReactElement {
  const t = useT();
  const language = useLanguage();
  const faulty = rows.filter(({ state }) => state === 'faulty').map(({ line }) => line);
  const asked = rows.filter(({ state }) => state === 'asked');
  const confirmable = asked.filter(({ similar }) => !similar?.isUnknown).map(({ line }) => line);
  const text = (lines: readonly unknown[]) => formatCount(lines.length, language);
  return (
    <>
      {faulty.length > 0 && (
        <Notice
          tone="bad"
          action={<Button onClick={() => leaveOut(faulty)}>{t('payoutBatches.leaveOutFaulty')}</Button>}
        >
          {t('payoutBatches.firstMend', { count: text(faulty) })}
        </Notice>
      )}
      {asked.length > 0 && (
        <Notice
          tone="waiting"
          action={
            confirmable.length > 0 && (
              <Button onClick={() => confirmRows(confirmable)}>
                {t('payoutBatches.confirmAll', { count: text(confirmable) })}
              </Button>
            )
          }
        >
          {t('payoutBatches.firstConfirm', { count: text(asked) })}
        </Notice>
      )}
    </>
  );
}
