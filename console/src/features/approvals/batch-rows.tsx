import type { ApprovalDetail, Exclusion } from '@hengfu/contract/approvals';
import type { PayoutRow } from '@hengfu/contract/payouts';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Section } from '@hengfu/ui/page/section.tsx';
import { Money } from '@hengfu/ui/values/money.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useLive } from '../../platform/live.ts';
import { Failure } from '../../shared/failure.tsx';
import { ApprovalStateTag } from '../../shared/names/approval-state.tsx';
import { batchRowsOptions } from './approvals.api.ts';
import styles from './approvals.module.css';
import { ExcludedRows } from './excluded-rows.tsx';

interface BatchRowsProps {
  of: ApprovalDetail;
  excluded: readonly Exclusion[];
  onChange: (excluded: readonly Exclusion[]) => void;
}

/** Lists the newest payouts of a batch, with a way to all of them, and lets an approver exclude rows. */
export function BatchRows({ of, excluded, onChange }: BatchRowsProps): ReactElement {
  const t = useT();
  const batchNo = of.subject_no ?? '';
  const options = batchRowsOptions(batchNo);
  const { data, error, refetch } = useQuery(options);
  useLive(['payouts'], options.queryKey);
  const rows = data?.data.toSorted((one, other) => (one.batch_line ?? 0) - (other.batch_line ?? 0)) ?? [];
  const all = (
    <Link to="/behalfPay/transfers" search={{ batch_no: batchNo }}>
      {t('approvals.allRows')}
    </Link>
  );
  const exclude = (line: number) => {
    if (excluded.every((row) => row.line !== line)) onChange([...excluded, { line, reason: '' }]);
  };
  return (
    <Section title={t('approvals.rows')} extra={all}>
      {error && <Failure error={error} isStale={data !== undefined} onRetry={() => void refetch()} />}
      {of.isForYou && <p className={styles.note}>{t('approvals.rowsHint')}</p>}
      <ul className={styles.decisions}>
        {rows.map((row) => (
          <li key={row.trade_no}>
            <BatchRow row={row} {...(of.isForYou && { onExclude: exclude })} />
          </li>
        ))}
      </ul>
      {of.excluded.length > 0 && (
        <ul className={styles.decisions} aria-label={t('approvals.excluded')}>
          {of.excluded.map(({ line, name, reason }) => (
            <li key={`${line} ${name}`}>{t('approvals.excludedBy', { line, name, reason })}</li>
          ))}
        </ul>
      )}
      {of.isForYou && (
        <ExcludedRows excluded={excluded} rows={of.rows ?? 0} onExclude={exclude} onChange={onChange} />
      )}
    </Section>
  );
}

function BatchRow({
  row,
  onExclude,
}: {
  row: PayoutRow;
  /** Absent if the user decides nothing. */
  onExclude?: (line: number) => void;
}): ReactElement {
  const t = useT();
  const { batch_line: line, payee, payeeAccount, amount, currency, approvalState } = row;
  return (
    <>
      <span>
        {t('approvals.row', { line: line ?? 0 })} · {payee} · {payeeAccount}
      </span>
      <Money amount={amount} currency={currency} />
      {onExclude && line !== null && approvalState === 'waiting' ? (
        <Button look="quiet" aria-label={t('approvals.excludeRow', { line })} onClick={() => onExclude(line)}>
          {t('approvals.exclude')}
        </Button>
      ) : (
        <ApprovalStateTag state={approvalState} />
      )}
    </>
  );
}
