import { profileEndpoints } from '@hengfu/contract/profile';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { useAction } from '@hengfu/ui/form/use-action.ts';
import { formatInstant } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { Section } from '@hengfu/ui/page/section.tsx';
import { deviceName } from '@hengfu/ui/values/device-name.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { call } from '../../platform/http.ts';
import { useUser } from '../../platform/session-store.ts';
import { Failure } from '../../shared/failure.tsx';
import { sessionsOptions } from './profile.api.ts';
import styles from './security-page.module.css';

/** Lists the user's sessions, and ends them. */
export function SessionsSection(): ReactElement {
  const t = useT();
  const language = useLanguage();
  const { zone } = useUser();
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(sessionsOptions);
  const done = () => {
    toast('success', t('profile.ended'), 'session');
    void client.invalidateQueries({ queryKey: sessionsOptions.queryKey });
  };
  const end = useAction({
    mutationFn: (id: string) => call(profileEndpoints.endSession, { params: { session_id: id } }),
    onSuccess: done,
  });
  const endOthers = useAction({
    mutationFn: () => call(profileEndpoints.endOtherSessions),
    onSuccess: done,
  });
  const time = (instant: string) => formatInstant(instant, zone, language, 'full');
  const isAlone = data?.length === 1;
  return (
    <Section
      isCard
      title={t('profile.sessionsTitle')}
      extra={
        data && !isAlone ? (
          <Button onClick={() => endOthers.mutate()}>{t('profile.endOthers')}</Button>
        ) : undefined
      }
    >
      {error && <Failure error={error} isStale={data !== undefined} onRetry={() => void refetch()} />}
      <ul className={styles.rows}>
        {data?.map((session) => (
          <li key={session.id}>
            <div>
              <strong>{deviceName(session.userAgent) ?? t('profile.unknownDevice')}</strong>
              {session.isCurrent && <span className={styles.mark}>{t('profile.thisSession')}</span>}
              <p>
                {session.address ?? t('profile.unknownAddress')} ·{' '}
                {t('profile.lastSeen', { time: time(session.lastSeenAt) })} ·{' '}
                {t('profile.since', { time: time(session.createdAt) })}
              </p>
            </div>
            {!session.isCurrent && <Button onClick={() => end.mutate(session.id)}>{t('profile.end')}</Button>}
          </li>
        ))}
      </ul>
      {isAlone && <p className={styles.note}>{t('profile.noOthers')}</p>}
    </Section>
  );
}
