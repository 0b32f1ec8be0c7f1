import {
  type Announcement,
  type AnnouncementKind,
  announcementEndpoints,
} from '@hengfu/contract/announcements';
import { Icon, type IconName } from '@hengfu/ui/controls/icon.tsx';
import { useAction } from '@hengfu/ui/form/use-action.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { reactToFailure } from '../../platform/failures.ts';
import { call } from '../../platform/http.ts';
import { useLive } from '../../platform/live.ts';
import { reading } from '../../platform/reading.ts';
import styles from './announcement-band.module.css';

const options = reading(announcementEndpoints.list);
const shortestMs = 1000;
/** A longer timer would fire at once. */
const longestMs = 24 * 60 * 60 * 1000;

const icons: Readonly<Record<AnnouncementKind, IconName>> = {
  information: 'circleInfo',
  maintenance: 'circleClock',
  warning: 'alert',
};

/** Shows what the service announces, until the person dismisses it. */
export function AnnouncementBand(): ReactElement | null {
  const t = useT();
  const { data } = useQuery({
    ...options,
    // The next one begins, or one ends, without any event.
    refetchInterval: ({ state }) => untilNext(state.data?.nextAt ?? null),
  });
  useLive(['announcements'], options.queryKey);
  if (!data || data.shown.length === 0) return null;
  return (
    <section className={styles.band} aria-label={t('announcements.region')}>
      {data.shown.map((each) => (
        <Line key={each.id} announcement={each} />
      ))}
    </section>
  );
}

function Line({ announcement }: { announcement: Announcement }): ReactElement {
  const { id, kind, text, changedAt } = announcement;
  const t = useT();
  const client = useQueryClient();
  const dismiss = useAction({
    mutationFn: () => call(announcementEndpoints.dismiss, { params: { id }, query: { changedAt } }),
    onSuccess: () => client.invalidateQueries({ queryKey: options.queryKey }),
    onError: (error) => reactToFailure(error),
  });
  return (
    <div className={styles.line} data-kind={kind} role="status">
      <Icon name={icons[kind]} />
      <p className={styles.text}>
        <strong>{t(`announcements.kind.${kind}`)}</strong> {text}
      </p>
      <button type="button" className={styles.dismiss} onClick={() => dismiss.mutate()}>
        <Icon name="close" />
        <span className="visually-hidden">{t('announcements.dismiss')}</span>
      </button>
    </div>
  );
}

function untilNext(nextAt: string | null): number | false {
  if (nextAt === null) return false;
  return Math.min(longestMs, Math.max(shortestMs, Date.parse(nextAt) - Date.now()));
}
