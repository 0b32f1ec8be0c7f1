import type { CallbackAttempt } from '@hengfu/contract/callback-messages';
import { CopyButton } from '@hengfu/ui/controls/copy-button.tsx';
import { formatCount } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { Section } from '@hengfu/ui/page/section.tsx';
import { StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import type { ReactElement } from 'react';
import { attemptLook } from '../callback-looks.ts';
import styles from '../callbacks.module.css';

/** Shows each attempt of a callback with the beginning of its reply, oldest first. */
export function AttemptHistory({ of: history }: { of: readonly CallbackAttempt[] }): ReactElement {
  const t = useT();
  return (
    <Section title={t('callbacks.history')}>
      {history.length === 0 ? (
        <p className={styles.muted}>{t('callbacks.noAttempts')}</p>
      ) : (
        <ol className={styles.attempts}>
          {history.map((attempt) => (
            <li key={`${attempt.attempt} ${attempt.at}`}>
              <Attempt of={attempt} />
            </li>
          ))}
        </ol>
      )}
      <p className={styles.muted}>{t('callbacks.replyHint')}</p>
    </Section>
  );
}

function Attempt({ of }: { of: CallbackAttempt }): ReactElement {
  const t = useT();
  const language = useLanguage();
  return (
    <>
      <p className={styles.line}>
        <strong>{t('collections.callbackAttempt', { attempt: of.attempt })}</strong>
        <StatusTag look={attemptLook(of)} />
        {of.httpStatus !== null && <span>HTTP {of.httpStatus}</span>}
        <span>{t('collections.callbackDuration', { ms: formatCount(of.durationMs, language) })}</span>
        {of.isResend && <span className={styles.muted}>{t('callbacks.resend')}</span>}
        <span className={styles.at}>
          <TimeText at={of.at} />
        </span>
      </p>
      {of.error && <p className={styles.muted}>{t(`collections.callbackError.${of.error}`)}</p>}
      {of.reply !== null && (
        <details>
          <summary>{t('callbacks.reply')}</summary>
          <div className={styles.line}>
            <CopyButton text={of.reply} name={t('callbacks.reply')} />
          </div>
          <pre className={styles.reply} translate="no">
            {of.reply}
          </pre>
        </details>
      )}
    </>
  );
}
