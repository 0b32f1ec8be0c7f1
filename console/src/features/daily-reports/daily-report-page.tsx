import {
  type DailyTotals,
  type dailyReportEndpoints,
  dailyReportQuery,
} from '@hengfu/contract/daily-reports';
import type { ReplyOf } from '@hengfu/contract/endpoint';
import { countDays, maxListedDays } from '@hengfu/contract/listed-days';
import { usePageSearch } from '@hengfu/ui/browser/page-place.ts';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { formatDay, formatMonth } from '@hengfu/ui/language/format.ts';
import { translateIssue, useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { useWarmFormats } from '@hengfu/ui/language/use-warm-formats.ts';
import { offsetMs } from '@hengfu/ui/language/zone.ts';
import { Page } from '@hengfu/ui/page/page.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import { useLive } from '../../platform/live.ts';
import { useUser } from '../../platform/session-store.ts';
import { Failure } from '../../shared/failure.tsx';
import { ExportButton } from '../../shared/list/export-button.tsx';
import { SavedViews } from '../../shared/list/saved-views.tsx';
import { Loading } from '../../shared/loading.tsx';
import { monthsOptions, reportOptions } from './daily-reports.api.ts';
import styles from './daily-reports.module.css';
import { MovedSection } from './moved-section.tsx';
import { type Bar, ReportBars } from './report-bars.tsx';
import { ReportControls } from './report-controls.tsx';
import { DayRow, MonthRows } from './report-rows.tsx';
import { knownOffset, type ReportSearch, reportOf, todayAt } from './report-search.ts';
import { ReportTable } from './report-table.tsx';
import { useNow } from './use-now.ts';

/** Funds → Daily reports; a long range is grouped by month. The URL holds offset, range and comparison. */
export function DailyReportPage(): ReactElement {
  const t = useT();
  const { zone } = useUser();
  const navigate = useNavigate();
  const nowMs = useNow();
  useWarmFormats();
  const search: ReportSearch = usePageSearch();
  const query = reportOf(search, nowMs, offsetMs(nowMs, zone));
  const other = knownOffset(search.other);
  const fault = dailyReportQuery.safeParse(query).error?.issues[0];
  const isByMonth = !fault && countDays(query) > maxListedDays;
  const daily = useQuery({ ...reportOptions(query), enabled: !fault && !isByMonth });
  const monthly = useQuery({ ...monthsOptions(query), enabled: isByMonth });
  const { data: report, error, refetch } = isByMonth ? monthly : daily;
  useLive(['dashboard', 'settlements'], (isByMonth ? monthsOptions : reportOptions)(query).queryKey);
  const change = (changes: ReportSearch) =>
    void navigate({
      to: '/fund/dailyReport',
      search: (before) => ({ ...before, ...changes }),
      resetScroll: false,
    });
  const actions = (
    <span className={styles.actions}>
      <SavedViews
        list="dailyReports"
        filters={{ ...query, ...(other && { other }) }}
        columns={[]}
        onChosen={({ filters }) => change({ other: undefined, ...filters })}
      />
      <ExportButton list="dailyReports" filters={query} columns={[]} />
    </span>
  );
  return (
    <Page title={t('dailyReports.title')} intro={t('dailyReports.intro')}>
      <ReportControls query={query} other={other} nowMs={nowMs} onChange={change} />
      {fault && <Notice tone="bad">{translateIssue(fault.message)}</Notice>}
      {error && <Failure error={error} isStale={report !== undefined} onRetry={() => void refetch()} />}
      {!report && !error && !fault && <Loading />}
      {!fault && !isByMonth && daily.data && <Days report={daily.data} actions={actions} />}
      {isByMonth && monthly.data && <Months report={monthly.data} actions={actions} />}
      {other && other !== query.offset && report && !fault && (
        <MovedSection query={{ ...query, other }} currency={report.currency} />
      )}
    </Page>
  );
}

interface PartProps<Name extends 'list' | 'months'> {
  report: ReplyOf<(typeof dailyReportEndpoints)[Name]>;
  /** Shown beside the table's heading. */
  actions: ReactNode;
}

function Days({ report: { data: days, totals, currency }, actions }: PartProps<'list'>): ReactElement {
  const t = useT();
  const language = useLanguage();
  const nowMs = useNow();
  const bars = days.map((day) => ({
    ...day,
    name: formatDay(day.date, language),
    mark: markOf(day.date, todayAt(day.utcOffset, nowMs)),
  }));
  return (
    <>
      <Section isCard title={t('dailyReports.chart')}>
        {isEmpty(totals) ? (
          <p className={styles.intro}>{t('dailyReports.empty')}</p>
        ) : (
          <ReportBars title={t('dailyReports.chart')} bars={bars} currency={currency} />
        )}
      </Section>
      <ReportTable unit="date" totals={totals} currency={currency} extra={actions}>
        {days.map((day) => (
          <DayRow key={day.date} day={day} currency={currency} />
        ))}
      </ReportTable>
    </>
  );
}

/** Whether nothing was collected, paid out or settled. */
function isEmpty({ collectionCount, paymentCount, settlementCount }: DailyTotals): boolean {
  return collectionCount + paymentCount + settlementCount === 0;
}

/** How a day is told apart from others; the weekend is Saturday and Sunday in all regions of the product. */
function markOf(day: string, today: string): Bar['mark'] {
  if (day === today) return 'today';
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return weekday === 0 || weekday === 6 ? 'weekend' : undefined;
}

function Months({ report: { data: months, totals, currency }, actions }: PartProps<'months'>): ReactElement {
  const t = useT();
  const language = useLanguage();
  const bars = months.map((month) => ({ ...month, name: formatMonth(month.month, language) }));
  return (
    <>
      <Section isCard title={t('dailyReports.chartByMonth')}>
        {isEmpty(totals) ? (
          <p className={styles.intro}>{t('dailyReports.empty')}</p>
        ) : (
          <ReportBars title={t('dailyReports.chartByMonth')} bars={bars} currency={currency} />
        )}
      </Section>
      <ReportTable unit="month" totals={totals} currency={currency} extra={actions}>
        {months.map((month) => (
          <MonthRows key={month.month} month={month} currency={currency} />
        ))}
      </ReportTable>
    </>
  );
}
