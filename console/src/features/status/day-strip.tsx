import type { StatusDay } from '@hengfu/contract/status';
import { formatDay, formatDuration, formatRate } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import type { ReactElement } from 'react';
import styles from './day-strip.module.css';
import { type StripDay, stripOf, uptimeShare } from './status.rules.ts';

const minuteMs = 60_000;
const shareDecimals = 2;

/** Ninety days of a component: a bar per day, a summary, and a list of the days with faults. */
export function DayStrip({ days, today }: { days: readonly StatusDay[]; today: string }): ReactElement {
  const t = useT();
  const language = useLanguage();
  const textOf = useDayText();
  const strip = stripOf(days, today);
  const share = uptimeShare(days);
  const measured = strip.filter(({ level }) => level !== 'none').length;
  const faulty = strip.filter(({ level }) => level === 'some' || level === 'bad').reverse();
  const summary =
    share === null
      ? t('status.strip.none')
      : t('status.strip.summary', { share: formatRate(share, language, shareDecimals), count: measured });
  return (
    <div>
      <div className={styles.strip} role="img" aria-label={summary}>
        {strip.map((day) => (
          <span key={day.day} data-level={day.level} title={textOf(day)} />
        ))}
      </div>
      <p className={styles.ends}>
        <span>{t('status.strip.first')}</span>
        <span aria-hidden="true" className={styles.summary}>
          {summary}
        </span>
        <span>{t('status.strip.last')}</span>
      </p>
      {faulty.length > 0 && (
        <details className={styles.faulty}>
          <summary>{t('status.strip.faulty', { count: faulty.length })}</summary>
          <ul>
            {faulty.map((day) => (
              <li key={day.day}>{textOf(day)}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

function useDayText(): (day: StripDay) => string {
  const t = useT();
  const language = useLanguage();
  const duration = (minutes: number) => formatDuration(minutes * minuteMs, language);
  return ({ day: date, level, ...minutes }) => {
    const day = formatDay(date, language);
    if (level === 'none') return t('status.strip.dayNone', { day });
    const measured = duration(minutes.measured);
    if (level === 'good') return t('status.strip.dayGood', { day, measured });
    return t('status.strip.day', {
      day,
      measured,
      degraded: duration(minutes.degraded),
      down: duration(minutes.down),
    });
  };
}
