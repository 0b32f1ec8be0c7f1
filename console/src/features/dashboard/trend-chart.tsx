import type { Dashboard } from '@hengfu/contract/dashboard';
import type { Currency } from '@hengfu/contract/money';
import { type ReactElement, useEffect, useMemo, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { formatCount, formatMoney, nothing } from '../../platform/format.ts';
import { useLanguage, useT } from '../../platform/i18n.ts';
import { usePreferences } from '../../platform/preferences.ts';
import styles from './trend.module.css';
import { chartOptions } from './trend-chart-options.ts';
import { plotData, type TrendHour, trendSeries } from './trend-data.ts';
import { seriesPhrases, seriesStrokes } from './trend-series.ts';

interface TrendChartProps {
  hours: readonly TrendHour[];
  currency: Currency;
  today: Dashboard['today'];
}

/** The day by the hour. Screen readers get the day's result in words; the table beside it has every figure. */
export function TrendChart({ hours, currency, today }: TrendChartProps): ReactElement {
  const t = useT();
  const language = useLanguage();
  const theme = usePreferences((preferences) => preferences.theme);
  const themeColor = usePreferences((preferences) => preferences.themeColor);
  const [pointed, setPointed] = useState<{ index: number; leftPx: number }>();
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot>(undefined);
  const data = useMemo(() => plotData(hours), [hours]);
  const labels = useMemo(() => hours.map((hour) => hour.from).join(), [hours]);

  // The canvas knows no CSS: another theme, language or set of hours is drawn anew.
  // biome-ignore lint/correctness/useExhaustiveDependencies: theme and colour are read from the document's style.
  useEffect(() => {
    const place = box.current;
    if (!place) return;
    const options = chartOptions({
      element: place,
      language,
      labels: labels.split(','),
      onPoint: (index, leftPx) => setPointed(index === undefined ? undefined : { index, leftPx }),
    });
    const plot = new uPlot(options, data, place);
    chart.current = plot;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) plot.setSize({ width: entry.contentRect.width, height: options.height });
    });
    observer.observe(place);
    return () => {
      observer.disconnect();
      plot.destroy();
      chart.current = undefined;
    };
  }, [theme, themeColor, language, labels]);
  useEffect(() => void chart.current?.setData(data), [data]);

  const amount = formatMoney(today.collection.amount, currency, language);
  const paidOut = formatMoney(today.payout.amount, currency, language);
  const hour = pointed && hours[pointed.index];
  return (
    <>
      <ul className={styles.legend}>
        {trendSeries.map((series) => (
          <li key={series}>
            <Swatch series={series} />
            {t(seriesPhrases[series])}
          </li>
        ))}
      </ul>
      <div className={styles.plot}>
        <div ref={box} role="img" aria-label={t('dashboard.trendText', { amount, paidOut })} />
        {pointed && hour && (
          <div
            className={styles.tip}
            data-side={pointed.index > hours.length / 2 ? 'start' : 'end'}
            style={{ left: pointed.leftPx }}
          >
            <strong>
              {hour.from}–{hour.to}
            </strong>
            {trendSeries.map((series) => (
              <p key={series}>
                <Swatch series={series} />
                <span>{t(seriesPhrases[series])}</span>
                <b>{hour[series] === null ? nothing : formatMoney(hour[series], currency, language)}</b>
              </p>
            ))}
            {hour.collectedCount !== null && (
              <p>
                <span>{t('dashboard.count')}</span>
                <b>{formatCount(hour.collectedCount, language)}</b>
              </p>
            )}
          </div>
        )}
      </div>
    </>
  );
}

function Swatch({ series }: { series: (typeof trendSeries)[number] }): ReactElement {
  const { color, dash, width } = seriesStrokes[series];
  return (
    <svg aria-hidden="true" width="22" height="8" className={styles.swatch}>
      <line
        x1="0"
        y1="4"
        x2="22"
        y2="4"
        stroke={`var(${color})`}
        strokeWidth={width}
        strokeDasharray={dash.join(' ') || undefined}
      />
    </svg>
  );
}
