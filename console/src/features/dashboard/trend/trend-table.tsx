import type { Currency } from '@hengfu/contract/money';
import { formatCount, formatMoney, nothing } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import type { ReactElement } from 'react';
import styles from '../chart/chart.module.css';
import type { TrendRow, TrendSeries } from './trend-data.ts';

interface TrendTableProps {
  title: string;
  /** The time that a row covers. */
  unit: 'hour' | 'day';
  rows: readonly TrendRow[];
  rowName: (row: TrendRow) => string;
  names: Readonly<Record<TrendSeries, string>>;
  currency: Currency;
}

/** The chart's figures as a table, for screen readers and for exact amounts. */
export function TrendTable({ title, unit, rows, rowName, names, currency }: TrendTableProps): ReactElement {
  const t = useT();
  const language = useLanguage();
  const money = (amount: string | null) =>
    amount === null ? nothing : formatMoney(amount, currency, language);
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">{title}</caption>
      <thead>
        <tr>
          <th scope="col">{t(`dashboard.${unit}`)}</th>
          <th scope="col">{names.collected}</th>
          <th scope="col">{t('dashboard.count')}</th>
          <th scope="col">{names.collectedBefore}</th>
          <th scope="col">{names.paidOut}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          // A clock time can occur twice on one day.
          // biome-ignore lint/suspicious/noArrayIndexKey: rows never move.
          <tr key={index}>
            <th scope="row">{rowName(row)}</th>
            <td>{money(row.collected)}</td>
            <td>{row.collectedCount === null ? nothing : formatCount(row.collectedCount, language)}</td>
            <td>{money(row.collectedBefore)}</td>
            <td>{money(row.paidOut)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
