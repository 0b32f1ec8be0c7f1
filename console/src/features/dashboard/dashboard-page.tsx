import type { Dashboard } from '@hengfu/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import { formatInstant, offsetText } from '../../platform/format.ts';
import { useLanguage, useT } from '../../platform/i18n.ts';
import { useLive } from '../../platform/live.ts';
import { Failure } from '../../ui/failure.tsx';
import { Page } from '../../ui/page.tsx';
import { useWarmFormats } from '../../ui/use-warm-formats.ts';
import { dashboardOptions } from './dashboard.api.ts';
import styles from './dashboard-page.module.css';
import { DayFigures } from './day-figures.tsx';
import { Trend } from './trend.tsx';

/** Today at a glance. The route passes in `account`, because features do not import each other. */
export function DashboardPage({ account }: { account: ReactNode }): ReactElement {
  const t = useT();
  const language = useLanguage();
  useWarmFormats();
  const { data, error, refetch } = useQuery(dashboardOptions);
  useLive(['dashboard'], dashboardOptions.queryKey);

  const asOf = ({ asOf: at, zone }: Dashboard) =>
    `${t('dashboard.asOf', { time: formatInstant(at, zone, language) })} · ${t('ui.zone', { zone, offset: offsetText(Date.parse(at), zone) })}`;
  const isMissing = error !== null && data === undefined;
  return (
    <Page title={t('dashboard.title')} intro={data && asOf(data)}>
      {error && <Failure error={error} isStale={data !== undefined} onRetry={() => void refetch()} />}
      {!isMissing && (
        <div className={styles.kinds}>
          <DayFigures title="dashboard.collected" kind="collection" data={data} />
          <DayFigures title="dashboard.paidOut" kind="payout" data={data} />
        </div>
      )}
      {account}
      {!isMissing && <Trend data={data} />}
    </Page>
  );
}
