import { withdrawalReviewEndpoints } from '@hengfu/contract/staff/withdrawal-reviews';
import { useT } from '@hengfu/ui/language/i18n.ts';
import type { ReactElement } from 'react';
import { QueuePage } from '../../shared/cases/queue-page.tsx';
import { useQueue } from '../../shared/cases/use-queue.ts';
import { WithdrawalDetail } from './withdrawal-detail.tsx';
import { withdrawalLooks } from './withdrawal-looks.ts';

interface WithdrawalReviewsProps {
  /** The number of the case that is shown, if one is chosen. */
  chosen: string | undefined;
  choose: (tradeNo: string) => void;
}

/** The queue of withdrawals beside the chosen one. */
export function WithdrawalReviewsPage({ chosen, choose }: WithdrawalReviewsProps): ReactElement {
  const t = useT();
  const queue = useQueue(withdrawalReviewEndpoints.queue, ['withdrawals', 'caseClaims', 'staffRequests']);
  return (
    <QueuePage
      title={t('officeWithdrawals.title')}
      intro={t('officeWithdrawals.keys', {
        next: 'j',
        previous: 'k',
        take: 't',
        approve: 'a',
        pay: 'p',
        reject: 'r',
      })}
      emptyText={t('officeWithdrawals.queueEmpty')}
      queue={queue}
      lookOf={({ status }) => withdrawalLooks[status]}
      chosen={chosen}
      choose={choose}
      detail={(tradeNo) => <WithdrawalDetail key={tradeNo} tradeNo={tradeNo} />}
    />
  );
}
