import { type TopupCase, topupReviewEndpoints } from '@hengfu/contract/staff/topup-reviews';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Page } from '@hengfu/ui/page/page.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { Money } from '@hengfu/ui/values/money.tsx';
import { StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useEffect } from 'react';
import { useLive } from '../../platform/live.ts';
import { reading } from '../../platform/reading.ts';
import { Failure } from '../../shared/failure.tsx';
import { CaseDetail } from './case-detail.tsx';
import { useKeys } from './keys.ts';
import { topupLooks } from './topup-looks.ts';
import styles from './topup-reviews.module.css';

interface TopupReviewsProps {
  /** The number of the case that is shown, if one is chosen. */
  chosen: string | undefined;
  choose: (tradeNo: string) => void;
}

/** The queue of top-ups beside the chosen one. Keys move through the queue and act on the case. */
export function TopupReviewsPage({ chosen, choose }: TopupReviewsProps): ReactElement {
  const t = useT();
  const { data: cases = [], error, refetch, isPending } = useQuery(reading(topupReviewEndpoints.queue));
  useLive(['topups', 'caseClaims'], [topupReviewEndpoints.queue.path]);
  const first = cases[0]?.trade_no;
  // A case stays until another one is chosen: what is decided must not be the one that has moved up meanwhile.
  useEffect(() => {
    if (chosen === undefined && first !== undefined) choose(first);
  }, [chosen, first, choose]);
  const shown = chosen;
  const step = (by: number) => {
    const at = cases.findIndex(({ trade_no }) => trade_no === shown);
    const next = at < 0 ? cases[0] : cases[at + by];
    if (next) choose(next.trade_no);
  };
  useKeys({ j: () => step(1), k: () => step(-1) });
  return (
    <Page
      title={t('office.topups')}
      intro={t('office.keys', {
        next: 'j',
        previous: 'k',
        take: 't',
        approve: 'a',
        credit: 'c',
        reject: 'r',
      })}
    >
      <div className={styles.panes}>
        <Section title={t('office.queue')} isCard>
          {error && <Failure error={error} onRetry={() => void refetch()} />}
          {!isPending && !error && cases.length === 0 && <p>{t('office.queueEmpty')}</p>}
          <ol className={styles.queue}>
            {cases.map((each) => (
              <li key={each.trade_no}>
                <QueueEntry
                  entry={each}
                  isShown={each.trade_no === shown}
                  onChosen={() => choose(each.trade_no)}
                />
              </li>
            ))}
          </ol>
        </Section>
        {shown === undefined ? (
          <Section title={t('office.topups')} isCard isTitleHidden>
            <p>{t('office.choose')}</p>
          </Section>
        ) : (
          <CaseDetail key={shown} tradeNo={shown} />
        )}
      </div>
    </Page>
  );
}

interface QueueEntryProps {
  entry: TopupCase;
  isShown: boolean;
  onChosen: () => void;
}

function QueueEntry({ entry, isShown, onChosen }: QueueEntryProps): ReactElement {
  const t = useT();
  const { claim } = entry;
  return (
    <button type="button" className={styles.entry} aria-pressed={isShown} onClick={onChosen}>
      <span className={styles.line}>
        <Money amount={entry.usdt} currency="USDT" />
        <StatusTag look={topupLooks[entry.status]} />
      </span>
      <span className={styles.line}>
        <span>{entry.merchant.name}</span>
        <TimeText at={entry.createdAt} style="minute" />
      </span>
      {claim && (
        <span className={styles.claim}>
          {claim.isOwn ? t('office.takenByYou') : t('office.takenBy', { name: claim.name })}
        </span>
      )}
    </button>
  );
}
