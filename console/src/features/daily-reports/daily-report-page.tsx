import { dailyReportQuery } from '@hengfu/contract/daily-reports';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { translateIssue, useT } from '../../platform/i18n.ts';
import { useLive } from '../../platform/live.ts';
import { usePageSearch } from '../../platform/page-place.ts';
import { useUser } from '../../platform/session-store.ts';
import { Failure } from '../../ui/failure.tsx';
import { ExportButton } from '../../ui/list/export-button.tsx';
import { SavedViews } from '../../ui/list/saved-views.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { Section } from '../../ui/section.tsx';
import { useWarmFormats } from '../../ui/use-warm-formats.ts';
import { offsetMs } from '../../ui/zone.ts';
import { reportOptions } from './daily-reports.api.ts';
import styles from './daily-reports.module.css';
import { DayBars } from './day-bars.tsx';
import { MovedSection } from './moved-section.tsx';
import { ReportControls } from './report-controls.tsx';
import { known, type ReportSearch, reportOf } from './report-search.ts';
import { ReportTable } from './report-table.tsx';

/** Funds → Daily reports. Offset, range and comparison live in the address. */
export function DailyReportPage(): ReactElement {
  const t = useT();
  const { zone } = useUser();
  const navigate = useNavigate();
  const [nowMs] = useState(Date.now);
  useWarmFormats();
  const search: ReportSearch = usePageSearch();
  const query = reportOf(search, nowMs, offsetMs(nowMs, zone));
  const other = known(search.other);
  const fault = dailyReportQuery.safeParse(query).error?.issues[0];
  const options = reportOptions(query);
  const { data: report, error, refetch } = useQuery({ ...options, enabled: !fault });
  useLive(['dashboard', 'settlements'], options.queryKey);
  const change = (changes: ReportSearch) =>
    void navigate({
      to: '/fund/dailyReport',
      search: (before) => ({ ...before, ...changes }),
      resetScroll: false,
    });
  return (
    <Page title={t('dailyReports.title')} intro={t('dailyReports.intro')}>
      <ReportControls query={query} other={other} nowMs={nowMs} onChange={change} />
      {fault && <Notice tone="bad">{translateIssue(fault.message)}</Notice>}
      {error && <Failure error={error} isStale={report !== undefined} onRetry={() => void refetch()} />}
      {report && !fault && (
        <>
          <Section isCard title={t('dailyReports.chart')}>
            <DayBars days={report.data} currency={report.currency} />
          </Section>
          <ReportTable
            report={report}
            extra={
              <span className={styles.actions}>
                <SavedViews
                  list="dailyReports"
                  filters={{ ...query, ...(other && { other }) }}
                  columns={[]}
                  onChosen={({ filters }) => change({ other: undefined, ...filters })}
                />
                <ExportButton list="dailyReports" filters={query} columns={[]} />
              </span>
            }
          />
        </>
      )}
      {other && other !== query.offset && report && !fault && (
        <MovedSection query={{ ...query, other }} currency={report.currency} />
      )}
    </Page>
  );
}
