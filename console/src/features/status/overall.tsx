import { ApiError } from '@hengfu/client/api-error.ts';
import type { StatusReport } from '@hengfu/contract/status';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { Icon, type IconName } from '@hengfu/ui/controls/icon.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import type { Tone } from '@hengfu/ui/values/status-tag.tsx';
import type { ReactElement, ReactNode } from 'react';
import { messageOf } from '../../platform/failures.ts';
import styles from './overall.module.css';
import { nameOf, overallLooks } from './status-looks.ts';

/** The overall state in one sentence, and what is affected. */
export function Overall({ report }: { report: StatusReport }): ReactElement {
  const t = useT();
  const { icon, tone, label } = overallLooks[report.overall];
  const names = [
    ...report.components
      .filter(({ state }) => state === 'degraded' || state === 'down')
      .map(({ component }) => nameOf(component, t)),
    ...report.incidents.flatMap(({ title, endedAt }) => (title !== null && endedAt === null ? [title] : [])),
  ];
  return (
    <Banner icon={icon} tone={tone} sentence={t(label)}>
      {names.length > 0 && <p>{t('status.affected', { names: names.join(t('ui.listComma')) })}</p>}
    </Banner>
  );
}

/** Shown if the status cannot be loaded. If the service says that its database is away, payments are what is paused. */
export function Unreachable({ error, onRetry }: { error: Error; onRetry: () => void }): ReactElement {
  const t = useT();
  const isPaused = error instanceof ApiError && error.code === 'unavailable';
  return (
    <Banner icon="circleCross" tone="bad" sentence={t(isPaused ? 'status.paused' : 'status.unreachable')}>
      <p>{error instanceof ApiError ? messageOf(error) : t('shell.failure.system')}</p>
      <p>{t(isPaused ? 'status.pausedText' : 'status.unreachableText')}</p>
      <Button icon="refresh" onClick={onRetry}>
        {t('ui.retry')}
      </Button>
    </Banner>
  );
}

function Banner(props: { icon: IconName; tone: Tone; sentence: string; children: ReactNode }): ReactElement {
  return (
    <div className={styles.banner} data-tone={props.tone} role="status">
      <Icon name={props.icon} size={28} />
      <div className={styles.words}>
        <p className={styles.sentence}>{props.sentence}</p>
        {props.children}
      </div>
    </div>
  );
}
