import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { formatInstant } from '../../platform/format.ts';
import { useLanguage, useT } from '../../platform/i18n.ts';
import { useUser } from '../../platform/session-store.ts';
import { Failure } from '../../ui/failure.tsx';
import { Section } from '../../ui/section.tsx';
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
