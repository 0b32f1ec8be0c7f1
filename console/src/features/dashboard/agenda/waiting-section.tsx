import { type DashboardAgenda, maxWaiting, type WaitingKind, waitingDays } from '@hengfu/contract/dashboard';
import { formatCount } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { Section } from '@hengfu/ui/page/section.tsx';
import type { ReactElement } from 'react';
import styles from '../dashboard-page.module.css';
import { waitingLines } from './waiting-lines.tsx';

/** Lists everything that waits for the merchant, each line with its list, or says that nothing does. */
export function WaitingSection({ data }: { data: DashboardAgenda | undefined }): ReactElement {
  const t = useT();
  const language = useLanguage();
  const kinds = Object.keys(waitingLines) as WaitingKind[];
  const lines = kinds.flatMap((kind) => data?.waiting.filter((waiting) => waiting.kind === kind) ?? []);
  const countText = (count: number) => {
    const text = formatCount(count, language);
    return count < maxWaiting ? text : t('dashboard.waiting.atLeast', { count: text });
  };
  return (
    <Section
      isCard
      title={t('dashboard.waiting.title')}
      extra={<span>{t('dashboard.waiting.since', { days: waitingDays })}</span>}
    >
      <div className={styles.lines} aria-busy={data === undefined}>
        {data && lines.length === 0 && <p className={styles.quiet}>{t('dashboard.waiting.none')}</p>}
        {lines.length > 0 && (
          <ul>
            {lines.map((waiting) => (
              <li key={waiting.kind}>
                {waitingLines[waiting.kind].link(waiting, t(waitingLines[waiting.kind].label))}
                <b>{countText(waiting.count)}</b>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Section>
  );
}
