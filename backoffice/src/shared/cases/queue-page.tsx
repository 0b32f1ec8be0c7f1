import { Button } from '@hengfu/ui/controls/button.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Page } from '@hengfu/ui/page/page.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { Money } from '@hengfu/ui/values/money.tsx';
import { type StatusLook, StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { type ReactElement, useEffect } from 'react';
import { Failure } from '../failure.tsx';
import styles from './cases.module.css';
import { useKeys } from './keys.ts';
import type { Queue } from './use-queue.ts';

/** A case as the queue shows it. */
interface QueuedCase {
  trade_no: string;
  usdt: string;
  merchant: { name: string };
  createdAt: string;
  claim: { name: string; isOwn: boolean } | null;
}

interface QueuePageProps<C extends QueuedCase> {
  title: string;
  /** The keys that act on a case. */
  intro: string;
  emptyText: string;
  queue: Queue<C>;
  lookOf: (entry: C) => StatusLook;
  /** The number of the case that is shown, if one is chosen. */
  chosen: string | undefined;
  choose: (tradeNo: string) => void;
  detail: (tradeNo: string) => ReactElement;
}

/** A queue of cases beside the chosen one. The keys j and k move through the queue. */
export function QueuePage<C extends QueuedCase>({
  title,
  intro,
  emptyText,
  queue: { data: cases = [], error, refetch, isPending, hasNextPage, fetchNextPage, isFetchingNextPage },
  lookOf,
  chosen,
  choose,
  detail,
}: QueuePageProps<C>): ReactElement {
  const t = useT();
  const first = cases[0]?.trade_no;
  // A case stays until another one is chosen: what is decided must not be the one that has moved up meanwhile.
  useEffect(() => {
    if (chosen === undefined && first !== undefined) choose(first);
  }, [chosen, first, choose]);
  const step = (by: number) => {
    const at = cases.findIndex(({ trade_no }) => trade_no === chosen);
    const next = at < 0 ? cases[0] : cases[at + by];
    if (next) choose(next.trade_no);
    if (at + by >= cases.length - 1 && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  };
  useKeys({ j: () => step(1), k: () => step(-1) });
  return (
    <Page title={title} intro={intro}>
      <div className={styles.panes}>
        <Section title={t('office.queue')} isCard>
          {error && <Failure error={error} onRetry={() => void refetch()} />}
          {!isPending && !error && cases.length === 0 && <p>{emptyText}</p>}
          <ol className={styles.queue}>
            {cases.map((each) => (
              <li key={each.trade_no}>
                <QueueEntry
                  entry={each}
                  look={lookOf(each)}
                  isShown={each.trade_no === chosen}
                  onChosen={() => choose(each.trade_no)}
                />
              </li>
            ))}
          </ol>
          {hasNextPage && (
            <Button onClick={() => void fetchNextPage()} aria-disabled={isFetchingNextPage}>
              {t('office.more')}
            </Button>
          )}
        </Section>
        {chosen === undefined ? (
          <Section title={title} isCard isTitleHidden>
            <p>{t('office.choose')}</p>
          </Section>
        ) : (
          detail(chosen)
        )}
      </div>
    </Page>
  );
}

interface QueueEntryProps {
  entry: QueuedCase;
  look: StatusLook;
  isShown: boolean;
  onChosen: () => void;
}

function QueueEntry({ entry, look, isShown, onChosen }: QueueEntryProps): ReactElement {
  const t = useT();
  const { claim } = entry;
  return (
    <button type="button" className={styles.entry} aria-pressed={isShown} onClick={onChosen}>
      <span className={styles.line}>
        <Money amount={entry.usdt} currency="USDT" />
        <StatusTag look={look} />
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
