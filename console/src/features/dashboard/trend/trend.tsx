import type { Dashboard, DashboardQuery } from '@hengfu/contract/dashboard';
import { Button } from '@hengfu/ui/controls/button.tsx';
import {
  formatCompactMoney,
  formatCount,
  formatDay,
  formatMoney,
  formatShortDay,
  nothing,
} from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { Section } from '@hengfu/ui/page/section.tsx';
import { type ReactElement, useMemo, useState } from 'react';
import styles from '../chart/chart.module.css';
import { ChartLegend, Swatch } from '../chart/chart-legend.tsx';
import { ChartOnDemand } from '../chart/chart-on-demand.tsx';
import {
  plotPoint,
  type TrendRow,
  type TrendSeries,
  trendLooks,
  trendRows,
  trendSeries,
} from './trend-data.ts';
import { TrendTable } from './trend-table.tsx';

const heightPx = 280;

interface TrendProps {
  query: DashboardQuery;
  /** Undefined while loading. */
  data: Dashboard | undefined;
}

/** The period by the hour or by the day, as a chart or as a table. */
export function Trend({ query, data }: TrendProps): ReactElement {
  const t = useT();
  const [isTable, setTable] = useState(false);
  const isHourly = data ? data.unit === 'hour' : query.period === 'today';
  const title = t(isHourly ? 'dashboard.trend' : 'dashboard.trendDaily');
  return (
    <Section
      isCard
      title={title}
      extra={
        <Button icon={isTable ? 'trend' : 'table'} aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          {t(isTable ? 'dashboard.showChart' : 'dashboard.showTable')}
        </Button>
      }
    >
      <div className={styles.stage} data-table={isTable} style={{ minHeight: heightPx + legendPx }}>
        {data && (
          <TrendContent data={data} title={title} isTable={isTable} isToday={query.period === 'today'} />
        )}
      </div>
    </Section>
  );
}

/** Height of one line of the legend, with its margin. */
const legendPx = 28;

interface TrendContentProps {
  data: Dashboard;
  title: string;
  isTable: boolean;
  isToday: boolean;
}

function TrendContent({ data, title, isTable, isToday }: TrendContentProps): ReactElement {
  const t = useT();
  const language = useLanguage();
  const { currency, unit } = data;
  const rows = useMemo(() => trendRows(data), [data]);
  const names: Record<TrendSeries, string> = {
    collected: t(isToday ? 'dashboard.trendCollected' : 'dashboard.collected'),
    collectedBefore: t(isToday ? 'dashboard.trendCollectedYesterday' : 'dashboard.trendCollectedBefore'),
    paidOut: t(isToday ? 'dashboard.trendPaidOut' : 'dashboard.paidOut'),
  };
  const rowName = ({ from, to }: TrendRow) => (unit === 'hour' ? `${from}–${to}` : formatDay(from, language));
  if (isTable)
    return (
      <TrendTable title={title} unit={unit} rows={rows} rowName={rowName} names={names} currency={currency} />
    );
  const lines = trendSeries.map((series) => ({
    name: names[series],
    ...trendLooks[series],
    values: rows.map((row) => plotPoint(row[series])),
  }));
  const money = (amount: string | null) =>
    amount === null ? nothing : formatMoney(amount, currency, language);
  return (
    <>
      <ChartLegend lines={lines} />
      <ChartOnDemand
        heightPx={heightPx}
        label={t('dashboard.trendText', {
          amount: money(data.current.collection.amount),
          paidOut: money(data.current.payout.amount),
        })}
        data={{
          labels: rows.map(({ from }) => (unit === 'hour' ? from : formatShortDay(from, language))),
          lines,
          axisText: (value) => formatCompactMoney(value, currency, language),
        }}
        tip={(index) => {
          const row = rows[index];
          return (
            row && (
              <>
                <strong>{rowName(row)}</strong>
                {trendSeries.map((series) => (
                  <p key={series}>
                    <Swatch look={trendLooks[series]} />
                    <span>{names[series]}</span>
                    <b>{money(row[series])}</b>
                  </p>
                ))}
                {row.collectedCount !== null && (
                  <p>
                    <span>{t('dashboard.count')}</span>
                    <b>{formatCount(row.collectedCount, language)}</b>
                  </p>
                )}
              </>
            )
          );
        }}
      />
    </>
  );
}
