import type { Dashboard } from '@hengfu/contract/dashboard';
import { formatDay, formatInstant } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { addDays, dayOf, timeOf } from '@hengfu/ui/language/zone.ts';
import type { ReactElement } from 'react';
import styles from '../dashboard-page.module.css';

/** Says which spans of time the changes compare. */
export function ComparedSpans({ data }: { data: Dashboard | undefined }): ReactElement {
  const t = useT();
  const language = useLanguage();
  // Holds the line while loading.
  if (!data) return <p className={styles.compared}> </p>;
  const { comparison, zone } = data;
  const isMidnight = (at: string) => timeOf(Date.parse(at), zone) === '00:00';
  /** Whole days are named without times, and by the last one rather than the midnight after it. */
  const spanText = ({ from, to }: { from: string; to: string }) => {
    if (!isMidnight(to))
      return t('dashboard.span', {
        from: formatInstant(from, zone, language, 'minute'),
        to: formatInstant(to, zone, language, 'minute'),
      });
    const [first, last] = [dayOf(Date.parse(from), zone), addDays(dayOf(Date.parse(to), zone), -1)];
    return first === last
      ? formatDay(first, language)
      : t('dashboard.span', { from: formatDay(first, language), to: formatDay(last, language) });
  };
  return (
    <p className={styles.compared}>
      {comparison
        ? t('dashboard.compared', {
            span: spanText(comparison.currentSpan),
            before: spanText(comparison.beforeSpan),
          })
        : t('dashboard.notCompared')}
    </p>
  );
}
