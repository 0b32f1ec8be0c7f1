import type { CollectionDetail } from '@hengfu/contract/collections';
import { formatCount } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { Section } from '@hengfu/ui/page/section.tsx';
import { type StatusLook, StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import type { ReactElement } from 'react';
import { HasPerm } from '../../platform/session-store.ts';
import { SendAgain } from './collection-actions.tsx';
import styles from './collection-detail.module.css';

type Attempt = CollectionDetail['callbacks'][number];

const acknowledged: StatusLook = { label: 'collections.callbackOk', tone: 'good', icon: 'circleCheck' };
const refused: StatusLook = { label: 'collections.callbackFailed', tone: 'bad', icon: 'circleCross' };
const unanswered: StatusLook = { label: 'collections.callbackNoAnswer', tone: 'bad', icon: 'alert' };

/** Standard Webhooks: any 2xx status acknowledges the callback. */
function lookOf({ httpStatus }: Attempt): StatusLook {
  if (httpStatus === null) return unanswered;
  return httpStatus >= 200 && httpStatus < 300 ? acknowledged : refused;
}

/** Whether an attempt is the newest of its callback. */
function isNewest(attempts: readonly Attempt[], index: number): boolean {
  return !attempts.slice(index + 1).some(({ callback_id }) => callback_id === attempts[index]?.callback_id);
}

/** Lists every callback attempt and the reply of the merchant's server. */
export function CollectionCallbacks({ order }: { order: CollectionDetail }): ReactElement {
  const t = useT();
  const language = useLanguage();
  return (
    <Section title={t('collections.callbacks')}>
      {order.callbacks.length === 0 ? (
        <p className={styles.none}>
          {t(order.notifyUrl === null ? 'collections.noNotifyUrl' : 'collections.callbackNone')}
        </p>
      ) : (
        <ol className={styles.attempts}>
          {order.callbacks.map((attempt, index) => (
            <li key={`${attempt.callback_id} ${attempt.attempt} ${attempt.at}`}>
              <p className={styles.line}>
                <strong>{t('collections.callbackAttempt', { attempt: attempt.attempt })}</strong>
                <code>{attempt.event}</code>
                <span>{attempt.receiver}</span>
                <StatusTag look={lookOf(attempt)} />
                {attempt.httpStatus !== null && <span>HTTP {attempt.httpStatus}</span>}
                <span>
                  {t('collections.callbackDuration', { ms: formatCount(attempt.durationMs, language) })}
                </span>
                <span className={styles.at}>
                  <TimeText at={attempt.at} />
                </span>
              </p>
              {isNewest(order.callbacks, index) && (
                <HasPerm any={['collections.create']}>
                  <SendAgain order={order} id={attempt.callback_id} event={attempt.event} />
                </HasPerm>
              )}
              {attempt.error && (
                <p className={styles.error}>{t(`collections.callbackError.${attempt.error}`)}</p>
              )}
            </li>
          ))}
        </ol>
      )}
    </Section>
  );
}
