import type { Currency } from '@hengfu/contract/money';
import type { ReactElement } from 'react';
import { formatCount, formatMoney, nothing } from '../../platform/format.ts';
import { useLanguage, useT } from '../../platform/i18n.ts';
import styles from './trend.module.css';
import { type TrendHour, type TrendSeries, trendSeries } from './trend-data.ts';
import { seriesPhrases, seriesStrokes } from './trend-series.ts';

interface TrendTipProps {
  hours: readonly TrendHour[];
  currency: Currency;
  /** Index of the hour under the pointer, and its position on the chart in CSS pixels. */
  index: number;
  leftPx: number;
}

/** The exact figures of the hour under the pointer. */
export function TrendTip({ hours, currency, index, leftPx }: TrendTipProps): ReactElement | null {
  const t = useT();
  const language = useLanguage();
  const hour = hours[index];
  if (!hour) return null;
  const money = (amount: string | null) =>
    amount === null ? nothing : formatMoney(amount, currency, language);
  return (
    <div
      className={styles.tip}
      data-side={index > hours.length / 2 ? 'start' : 'end'}
      style={{ left: leftPx }}
    >
      <strong>
        {hour.from}–{hour.to}
      </strong>
      {trendSeries.map((series) => (
        <p key={series}>
          <Swatch series={series} />
          <span>{t(seriesPhrases[series])}</span>
          <b>{money(hour[series])}</b>
        </p>
      ))}
      {hour.collectedCount !== null && (
        <p>
          <span>{t('dashboard.count')}</span>
          <b>{formatCount(hour.collectedCount, language)}</b>
        </p>
      )}
    </div>
  );
}

/** A sample of a line, for the legend. */
export function Swatch({ series }: { series: TrendSeries }): ReactElement {
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
