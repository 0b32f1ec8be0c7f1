import type { Currency } from '@hengfu/contract/money';
import type { ReactElement } from 'react';
import { formatCount, formatMoney, nothing } from '../../platform/format.ts';
import { useLanguage, useT } from '../../platform/i18n.ts';
import styles from './trend.module.css';
import type { TrendHour } from './trend-data.ts';
import { seriesPhrases } from './trend-series.ts';

/** The chart's figures as a table, for screen readers and for exact amounts. */
export function TrendTable({
  hours,
  currency,
}: {
  hours: readonly TrendHour[];
  currency: Currency;
}): ReactElement {
  const t = useT();
  const language = useLanguage();
  const money = (amount: string | null) =>
    amount === null ? nothing : formatMoney(amount, currency, language);
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">{t('dashboard.trend')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('dashboard.hour')}</th>
          <th scope="col">{t(seriesPhrases.collected)}</th>
          <th scope="col">{t('dashboard.count')}</th>
          <th scope="col">{t(seriesPhrases.collectedYesterday)}</th>
          <th scope="col">{t(seriesPhrases.paidOut)}</th>
        </tr>
      </thead>
      <tbody>
        {hours.map((hour, index) => (
          // A clock time can occur twice on one day.
          // biome-ignore lint/suspicious/noArrayIndexKey: hours never move.
          <tr key={index}>
            <th scope="row">
              {hour.from}–{hour.to}
            </th>
            <td>{money(hour.collected)}</td>
            <td>{hour.collectedCount === null ? nothing : formatCount(hour.collectedCount, language)}</td>
            <td>{money(hour.collectedYesterday)}</td>
            <td>{money(hour.paidOut)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
