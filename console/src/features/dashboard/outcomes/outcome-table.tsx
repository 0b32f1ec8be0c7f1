import { formatCount, formatRate } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { Fragment, type ReactElement } from 'react';
import styles from '../chart/chart.module.css';
import type { OutcomeRow } from './outcome-data.ts';

interface OutcomeTableProps {
  title: string;
  unit: 'hour' | 'day';
  series: readonly { name: string; rows: readonly OutcomeRow[] }[];
  timeName: (startsAt: string) => string;
}

/** The outcomes by time and channel, for screen readers and for exact counts. */
export function OutcomeTable({ title, unit, series, timeName }: OutcomeTableProps): ReactElement {
  const t = useT();
  const language = useLanguage();
  const times = series[0]?.rows.map(({ startsAt }) => startsAt) ?? [];
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">{title}</caption>
      <thead>
        <tr>
          <th scope="col">{t(`dashboard.${unit}`)}</th>
          <th scope="col">{t('dashboard.outcomes.channel')}</th>
          <th scope="col">{t('dashboard.outcomes.succeeded')}</th>
          <th scope="col">{t('dashboard.outcomes.lost')}</th>
          <th scope="col">{t('dashboard.successRate')}</th>
        </tr>
      </thead>
      <tbody>
        {times.map((startsAt, index) => (
          <Fragment key={startsAt}>
            {series.map(({ name, rows }) => {
              const { succeeded, lost, rate } = rows[index] ?? { succeeded: 0, lost: 0, rate: null };
              return (
                rate !== null && (
                  <tr key={name}>
                    <th scope="row">{timeName(startsAt)}</th>
                    <td>{name}</td>
                    <td>{formatCount(succeeded, language)}</td>
                    <td>{formatCount(lost, language)}</td>
                    <td>{formatRate(rate, language)}</td>
                  </tr>
                )
              );
            })}
          </Fragment>
        ))}
      </tbody>
    </table>
  );
}
