import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import { formatInstant } from '../../platform/format.ts';
import { useLanguage, useT } from '../../platform/i18n.ts';
import { useLive } from '../../platform/live.ts';
import { Failure } from '../../ui/failure.tsx';
import { useWarmFormats } from '../../ui/use-warm-formats.ts';
import { offsetText } from '../../ui/zone.ts';
import { dashboardOptions } from './dashboard.api.ts';
import styles from './dashboard-page.module.css';
import { DayFigures } from './day-figures.tsx';
import { Trend } from './trend.tsx';

/** Today at a glance. `account` is the account's own part, put in by the route: features do not know each other. */
export function DashboardPage({ account }: { account: ReactNode }): ReactElement {
  const t = useT();
  const language = useLanguage();
  const client = useQueryClient();
  useWarmFormats();
  const { data, error, refetch } = useQuery(dashboardOptions);
  useLive(['dashboard'], () => void client.invalidateQueries({ queryKey: dashboardOptions.queryKey }));

  const isMissing = error !== null && data === undefined;
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1>{t('dashboard.title')}</h1>
        {data && (
          <p>
            {t('dashboard.asOf', { time: formatInstant(data.asOf, data.zone, language) })}
            {' · '}
            {t('ui.zone', { zone: data.zone, offset: offsetText(Date.parse(data.asOf), data.zone) })}
          </p>
        )}
      </header>
      {error && <Failure error={error} isStale={data !== undefined} onRetry={() => void refetch()} />}
      {!isMissing && (
        <div className={styles.kinds}>
          <DayFigures title="dashboard.collected" kind="collection" data={data} />
          <DayFigures title="dashboard.paidOut" kind="payout" data={data} />
        </div>
      )}
      {account}
      {!isMissing && <Trend data={data} />}
    </div>
  );
}
