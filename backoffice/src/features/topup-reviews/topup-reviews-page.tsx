import { topupReviewEndpoints } from '@hengfu/contract/staff/topup-reviews';
import { useT } from '@hengfu/ui/language/i18n.ts';
import type { ReactElement } from 'react';
import { QueuePage } from '../../shared/cases/queue-page.tsx';
import { useQueue } from '../../shared/cases/use-queue.ts';
import { CaseDetail } from './case-detail.tsx';
import { topupLooks } from './topup-looks.ts';

interface TopupReviewsProps {
  /** The number of the case that is shown, if one is chosen. */
  chosen: string | undefined;
  choose: (tradeNo: string) => void;
}

/** The queue of top-ups beside the chosen one. */
export function TopupReviewsPage({ chosen, choose }: TopupReviewsProps): ReactElement {
  const t = useT();
  const queue = useQueue(topupReviewEndpoints.queue, ['topups', 'caseClaims', 'staffRequests']);
  return (
    <QueuePage
      title={t('office.topups')}
      intro={t('office.keys', {
        next: 'j',
        previous: 'k',
        take: 't',
        approve: 'a',
        credit: 'c',
        reject: 'r',
      })}
      emptyText={t('office.queueEmpty')}
      queue={queue}
      lookOf={({ status }) => topupLooks[status]}
      chosen={chosen}
      choose={choose}
      detail={(tradeNo) => <CaseDetail key={tradeNo} tradeNo={tradeNo} />}
    />
  );
}
