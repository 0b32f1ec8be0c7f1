import type { Dashboard } from '@hengfu/contract/dashboard';
import type { Currency } from '@hengfu/contract/money';
import { type ReactElement, useEffect, useMemo, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { formatMoney } from '../../platform/format.ts';
import { useLanguage, useT } from '../../platform/i18n.ts';
import { usePreferences } from '../../platform/preferences.ts';
import { useShownTheme } from '../../platform/shown-theme.ts';
import styles from './trend.module.css';
import { chartOptions } from './trend-chart-options.ts';
import { plotData, type TrendHour, trendSeries } from './trend-data.ts';
import { seriesPhrases } from './trend-series.ts';
import { Swatch, TrendTip } from './trend-tip.tsx';

interface TrendChartProps {
  hours: readonly TrendHour[];
  currency: Currency;
  today: Dashboard['today'];
}

/** Charts the day by the hour. Screen readers get a summary; the table has every figure. */
export function TrendChart({ hours, currency, today }: TrendChartProps): ReactElement {
  const t = useT();
  const language = useLanguage();
  const theme = useShownTheme();
  const themeColor = usePreferences((preferences) => preferences.themeColor);
  const [pointed, setPointed] = useState<{ index: number; leftPx: number }>();
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot>(undefined);
  const data = useMemo(() => plotData(hours), [hours]);
  const labels = useMemo(() => hours.map((hour) => hour.from).join(), [hours]);

  // A canvas does not follow CSS, so a new theme, language or set of hours needs a new chart.
  // biome-ignore lint/correctness/useExhaustiveDependencies: theme and color are read from the document's style.
  useEffect(() => {
    const container = box.current;
    if (!container) return;
    const options = chartOptions({
      element: container,
      language,
      labels: labels.split(','),
      onPoint: (index, leftPx) => setPointed(index === undefined ? undefined : { index, leftPx }),
    });
    const plot = new uPlot(options, data, container);
    chart.current = plot;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) plot.setSize({ width: entry.contentRect.width, height: options.height });
    });
    observer.observe(container);
    return () => {
      observer.disconnect();
      plot.destroy();
      chart.current = undefined;
    };
  }, [theme, themeColor, language, labels]);
  useEffect(() => void chart.current?.setData(data), [data]);

  const amount = formatMoney(today.collection.amount, currency, language);
  const paidOut = formatMoney(today.payout.amount, currency, language);
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
        {pointed && <TrendTip hours={hours} currency={currency} {...pointed} />}
      </div>
    </>
  );
}
