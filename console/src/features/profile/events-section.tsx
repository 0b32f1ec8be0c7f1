import { formatInstant } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { Section } from '@hengfu/ui/page/section.tsx';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useUser } from '../../platform/session-store.ts';
import { Failure } from '../../shared/failure.tsx';
import { securityEventsOptions } from './profile.api.ts';
import styles from './security-page.module.css';

/** The security events of the user's account. */
export function EventsSection(): ReactElement {
  const t = useT();
  const language = useLanguage();
  const { zone } = useUser();
  const { data, error, refetch } = useQuery(securityEventsOptions);
  return (
    <Section isCard title={t('profile.eventsTitle')}>
      {error && <Failure error={error} isStale={data !== undefined} onRetry={() => void refetch()} />}
      {data?.length === 0 && <p className={styles.note}>{t('profile.noEvents')}</p>}
      <ul className={styles.rows}>
        {data?.map(({ at, action, address }) => (
          <li key={`${at} ${action}`}>
            <span>{t(`profile.event.${action}`)}</span>
            <span className={styles.note}>
              {address ?? t('profile.unknownAddress')} · {formatInstant(at, zone, language, 'full')}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
