import type { ComponentStatus, StatusReport } from '@hengfu/contract/status';
import type { PhraseKey } from '@hengfu/phrases/phrases';
import { formatDuration, formatRate } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { Section } from '@hengfu/ui/page/section.tsx';
import { StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import { type ReactElement, useId } from 'react';
import styles from './component-list.module.css';
import { DayStrip } from './day-strip.tsx';
import { nameOf, stateLooks } from './status-looks.ts';

const shareDecimals = 2;
const times = ['medianMs', 'p95Ms', 'answerMs', 'waitMs', 'callbackWaitMs'] as const;

/** Every component: its current state, its measurements, and its daily history. */
export function ComponentList({ report }: { report: StatusReport }): ReactElement {
  const t = useT();
  return (
    <Section isCard title={t('status.now')}>
      <ul className={styles.list}>
        {report.components.map((component) => (
          <Component key={component.component} status={component} today={report.today} />
        ))}
      </ul>
      <div className={styles.note}>
        <p>{t('status.strip.legend')}</p>
        <p>{t('status.explained')}</p>
        <p>{t('status.collectionDelay')}</p>
      </div>
    </Section>
  );
}

function Component({ status, today }: { status: ComponentStatus; today: string }): ReactElement {
  const t = useT();
  const id = useId();
  const figures = useFigures(status);
  return (
    <li aria-labelledby={id}>
      <div className={styles.head}>
        <h3 id={id}>{nameOf(status.component, t)}</h3>
        <StatusTag look={stateLooks[status.state]} />
      </div>
      {figures.length > 0 && (
        <dl className={styles.figures}>
          {figures.map(({ label, value }) => (
            <div key={label}>
              <dt>{t(label)}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      <DayStrip days={status.days} today={today} />
    </li>
  );
}

function useFigures({ component, figures }: ComponentStatus): { label: PhraseKey; value: string }[] {
  const t = useT();
  const language = useLanguage();
  const { share } = figures;
  const label = component === 'api' ? 'status.figures.share' : 'status.figures.paidShare';
  return [
    ...(share === undefined ? [] : [{ label, value: formatRate(share, language, shareDecimals) } as const]),
    ...times.flatMap((name) => {
      const durationMs = figures[name];
      if (durationMs === undefined) return [];
      // Only waiting times can be zero.
      const value = durationMs === 0 ? t('status.nothingWaits') : formatDuration(durationMs, language);
      return [{ label: `status.figures.${name}` as const, value }];
    }),
  ];
}
