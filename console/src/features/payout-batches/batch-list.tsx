import type { PayoutBatch } from '@hengfu/contract/payout-batches';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Section } from '@hengfu/ui/page/section.tsx';
import { Count } from '@hengfu/ui/values/count.tsx';
import { Money } from '@hengfu/ui/values/money.tsx';
import { StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useLive } from '../../platform/live.ts';
import { Failure } from '../../shared/failure.tsx';
import { payoutBatchLooks } from './batch-looks.ts';
import { batchesOptions } from './payout-batches.api.ts';
import styles from './payout-batches.module.css';

/** The latest batches and their progress. */
export function BatchList(): ReactElement {
  const t = useT();
  const { data: batches, error, refetch } = useQuery(batchesOptions);
  useLive(['payouts'], batchesOptions.queryKey);
  return (
    <Section isCard title={t('payoutBatches.recent')}>
      {error && <Failure error={error} isStale={batches !== undefined} onRetry={() => void refetch()} />}
      {batches?.length === 0 && <p className={styles.none}>{t('payoutBatches.none')}</p>}
      {batches && batches.length > 0 && <Batches batches={batches} />}
    </Section>
  );
}

function Batches({ batches }: { batches: readonly PayoutBatch[] }): ReactElement {
  const t = useT();
  return (
    <div className={styles.scroll}>
      <table className={styles.list}>
        <thead>
          <tr>
            <th>{t('payoutBatches.batchNo')}</th>
            <th>{t('payoutBatches.name')}</th>
            <th>{t('payoutBatches.status')}</th>
            <th data-align="end">{t('payoutBatches.rows')}</th>
            <th data-align="end">{t('payoutBatches.failed')}</th>
            <th data-align="end">{t('payouts.amount')}</th>
            <th>{t('payoutBatches.createdAt')}</th>
          </tr>
        </thead>
        <tbody>
          {batches.map((batch) => (
            <tr key={batch.batch_no}>
              <td>
                <Link to="/behalfPay/apply" search={{ mode: 'batch', batch: batch.batch_no }}>
                  {batch.batch_no}
                </Link>
              </td>
              <td className={styles.fileName}>{batch.name}</td>
              <td>
                <BatchStatus batch={batch} />
              </td>
              <td data-align="end">
                <Count of={batch.count} />
              </td>
              <td data-align="end">
                <Count of={batch.failed} />
              </td>
              <td data-align="end">
                <Money amount={batch.amount} currency={batch.currency} />
              </td>
              <td>
                <TimeText at={batch.createdAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Shows whether a batch still has rows to process. */
export function BatchStatus({ batch: { finishedAt } }: { batch: PayoutBatch }): ReactElement {
  return <StatusTag look={payoutBatchLooks[finishedAt === null ? 'running' : 'finished']} />;
}
