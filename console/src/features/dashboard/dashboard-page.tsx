import type { Dashboard } from '@hengfu/contract/dashboard';
import { usePageSearch } from '@hengfu/ui/browser/page-place.ts';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { formatInstant, offsetText } from '@hengfu/ui/language/format.ts';
import { translateIssue, useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { useWarmFormats } from '@hengfu/ui/language/use-warm-formats.ts';
import { dayOf } from '@hengfu/ui/language/zone.ts';
import { Page } from '@hengfu/ui/page/page.tsx';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import { useLive } from '../../platform/live.ts';
import { useUser } from '../../platform/session-store.ts';
import { Failure } from '../../shared/failure.tsx';
import { FirstSteps } from './agenda/first-steps.tsx';
import { SettlementSection } from './agenda/settlement-section.tsx';
import { WaitingSection } from './agenda/waiting-section.tsx';
import { agendaOptions, dashboardKey, dashboardOptions } from './dashboard.api.ts';
import styles from './dashboard-page.module.css';
import { type DashboardSearch, periodOf } from './dashboard-search.ts';
import { ComparedSpans } from './figures/compared-spans.tsx';
import { PeriodFigures } from './figures/period-figures.tsx';
import { Outcomes } from './outcomes/outcomes.tsx';
import { PeriodControl } from './period-control.tsx';
import { Trend } from './trend/trend.tsx';

/**
 * A period at a glance, and what waits for the merchant. The URL holds the period. The route passes in `account`, because
 * features do not import each other.
 */
export function DashboardPage({ account }: { account: ReactNode }): ReactElement {
  const t = useT();
  const language = useLanguage();
  const { merchant } = useUser();
  const navigate = useNavigate();
  useWarmFormats();
  const search = usePageSearch();
  const { query, fault } = periodOf(search);
  const { data, error, refetch } = useQuery(dashboardOptions(query));
  const agenda = useQuery(agendaOptions);
  useLive(['dashboard', 'payouts'], dashboardKey);
  useLive(['payouts', 'collections', 'exports', 'account', 'settlements'], agendaOptions.queryKey);

  const asOf = ({ asOf: at, zone }: Dashboard) =>
    `${t('dashboard.asOf', { time: formatInstant(at, zone, language) })} · ${t('ui.zone', { zone, offset: offsetText(Date.parse(at), zone) })}`;
  const change = (next: DashboardSearch) =>
    void navigate({ to: '/dashboard', search: next, resetScroll: false });
  const isMissing = error !== null && data === undefined;
  const isAgendaMissing = agenda.error !== null && agenda.data === undefined;
  const steps = agenda.data?.firstSteps;
  const firstSteps = steps && <FirstSteps steps={steps} />;
  // A merchant without orders has nothing else to look at.
  const isNew = steps?.some(({ step, isDone }) => step === 'order' && !isDone) ?? false;
  return (
    <Page title={t('dashboard.title')} intro={data && asOf(data)}>
      {isNew && firstSteps}
      <PeriodControl
        search={search as DashboardSearch}
        today={dayOf(Date.now(), merchant.zone)}
        onChange={change}
      />
      {fault !== undefined && <Notice tone="bad">{translateIssue(fault)}</Notice>}
      {error && <Failure error={error} isStale={data !== undefined} onRetry={() => void refetch()} />}
      {!isMissing && (
        <>
          <div className={styles.kinds}>
            <PeriodFigures title="dashboard.collected" kind="collection" query={query} data={data} />
            <PeriodFigures title="dashboard.paidOut" kind="payout" query={query} data={data} />
          </div>
          <ComparedSpans data={data} />
        </>
      )}
      {account}
      {agenda.error && (
        <Failure
          error={agenda.error}
          isStale={agenda.data !== undefined}
          onRetry={() => void agenda.refetch()}
        />
      )}
      {!isAgendaMissing && (
        <div className={styles.agenda}>
          <WaitingSection data={agenda.data} />
          <SettlementSection data={agenda.data} />
        </div>
      )}
      {!isNew && firstSteps}
      {!isMissing && <Trend query={query} data={data} />}
      <Outcomes query={query} isReady={data !== undefined || isMissing} />
    </Page>
  );
}
