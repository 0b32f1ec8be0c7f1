import type { ReplyOf } from '@hengfu/contract/endpoint';
import type { payoutBatchEndpoints } from '@hengfu/contract/payout-batches';
import { type PayoutStatus, payoutStatuses } from '@hengfu/contract/payouts';
import { buttonClass } from '@hengfu/ui/controls/button.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { Progress } from '@hengfu/ui/controls/progress.tsx';
import { formatCount } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { Fields } from '@hengfu/ui/page/fields.tsx';
import { Page } from '@hengfu/ui/page/page.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { Count } from '@hengfu/ui/values/count.tsx';
import { Money } from '@hengfu/ui/values/money.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useLive } from '../../platform/live.ts';
import { AuditLink } from '../../shared/audit-link.tsx';
import { Failure } from '../../shared/failure.tsx';
import { ApprovalNote } from '../../shared/payments/approval-note.tsx';
import { PayoutModes } from '../../shared/payments/payout-modes.tsx';
import { BatchStatus } from './batch-list.tsx';
import { batchOptions } from './payout-batches.api.ts';
import styles from './payout-batches.module.css';

/** Shows a batch's progress, the outcome of its rows, and a way to correct the rows that failed. */
export function BatchProgressPage({ batchNo }: { batchNo: string }): ReactElement {
  const t = useT();
  return (
    <Page title={t('payouts.applyTitle')}>
      <PayoutModes />
      <BatchProgress batchNo={batchNo} />
    </Page>
  );
}

function BatchProgress({ batchNo }: { batchNo: string }): ReactElement {
  const t = useT();
  const options = batchOptions(batchNo);
  const { data: batch, error, refetch } = useQuery(options);
  useLive(['payouts'], options.queryKey);
  return (
    <Section
      isCard
      title={t('payoutBatches.batch', { batch_no: batchNo })}
      extra={
        batch && (
          <>
            <AuditLink subject={batchNo} />
            <BatchStatus batch={batch} />
          </>
        )
      }
    >
      {error && <Failure error={error} isStale={batch !== undefined} onRetry={() => void refetch()} />}
      {batch && <BatchOutcome batch={batch} />}
    </Section>
  );
}

type Batch = ReplyOf<typeof payoutBatchEndpoints.get>['data'];

function BatchOutcome({ batch }: { batch: Batch }): ReactElement {
  const t = useT();
  const { batch_no, count, taken, failed, waiting, currency, payouts } = batch;
  const done = taken + failed;
  const states = payoutStatuses.filter((status) => payouts[status]);
  return (
    <div className={styles.progress}>
      <ApprovalNote state={batch.approvalState} tradeNo={batch_no} />
      <div className={styles.bar}>
        <Progress label={t('payoutBatches.status')} value={done} max={count} />
        <span role="status">{t('payoutBatches.progress', { done, count })}</span>
      </div>
      <Fields
        fields={[
          { label: t('payoutBatches.name'), value: batch.name },
          { label: t('payouts.channel'), value: t(`channels.${batch.channel}`) },
          { label: t('payouts.amount'), value: <Money amount={batch.amount} currency={currency} /> },
          { label: t('payouts.fee'), value: <Money amount={batch.fee} currency={currency} /> },
          { label: t('payoutBatches.createdAt'), value: <TimeText at={batch.createdAt} /> },
          { label: t('payoutBatches.createdBy'), value: batch.createdBy },
          { label: t('payoutBatches.waiting'), value: <Count of={waiting} /> },
          { label: t('payoutBatches.taken'), value: <Count of={taken} /> },
          { label: t('payoutBatches.failed'), value: <Count of={failed} /> },
          ...states.map((status) => ({
            label: t(`payouts.status.${status}`),
            value: <PayoutCount of={payouts[status] ?? 0} status={status} batchNo={batch_no} />,
          })),
        ]}
      />
      {failed > 0 && <Failed batch={batch} />}
      <div className={styles.buttons}>
        <Link
          to="/behalfPay/transfers"
          search={{ batch_no }}
          className={buttonClass(failed > 0 ? 'outline' : 'primary')}
        >
          {t('payoutBatches.followPayouts')}
        </Link>
        <Link to="/behalfPay/apply" search={{ mode: 'batch' }} className={buttonClass()}>
          {t('payoutBatches.another')}
        </Link>
      </div>
    </div>
  );
}

function PayoutCount({
  of,
  status,
  batchNo,
}: {
  of: number;
  status: PayoutStatus;
  batchNo: string;
}): ReactElement {
  return (
    <Link to="/behalfPay/transfers" search={{ batch_no: batchNo, status }}>
      <Count of={of} />
    </Link>
  );
}

/** Counts the failed rows, and opens them as a new draft once the batch has finished. */
function Failed({ batch: { batch_no, failed, finishedAt } }: { batch: Batch }): ReactElement {
  const t = useT();
  const language = useLanguage();
  const way = (
    <Link to="/behalfPay/apply" search={{ mode: 'batch', mend: batch_no }} className={buttonClass('primary')}>
      {t('payoutBatches.mendFailed')}
    </Link>
  );
  return (
    <Notice tone="waiting" action={finishedAt !== null && way}>
      {t('payoutBatches.failedText', { count: formatCount(failed, language) })}
    </Notice>
  );
}
