import type { DailyTotals } from '@hengfu/contract/daily-reports';
import type { Currency } from '@hengfu/contract/money';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Section } from '@hengfu/ui/page/section.tsx';
import type { ReactElement, ReactNode } from 'react';
import styles from './daily-reports.module.css';
import { Figures } from './report-rows.tsx';

interface ReportTableProps {
  /** The period of a row. */
  unit: 'date' | 'month';
  totals: DailyTotals;
  currency: Currency;
  /** Shown beside the heading. */
  extra: ReactNode;
  /** The rows, newest first. */
  children: ReactNode;
}

/** The columns below the groups of the heading. */
const columns = [
  ...(['amount', 'count', 'fee', 'refunded'] as const),
  ...(['amount', 'count', 'fee'] as const),
  ...(['amount', 'settlementAt'] as const),
];

/** The figures of a report, with totals. */
export function ReportTable({ unit, totals, currency, extra, children }: ReportTableProps): ReactElement {
  const t = useT();
  return (
    <Section isCard isTitleHidden title={t('dailyReports.title')} extra={extra}>
      {unit === 'month' && <p className={styles.intro}>{t('dailyReports.byMonth')}</p>}
      <div className={`${styles.scroll} ${styles.days}`}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th rowSpan={2}>{t(`dailyReports.${unit}`)}</th>
              <th colSpan={4} scope="colgroup" data-align="center">
                {t('dailyReports.collections')}
              </th>
              <th colSpan={3} scope="colgroup" data-align="center">
                {t('dailyReports.payouts')}
              </th>
              <th colSpan={2} scope="colgroup" data-align="center">
                {t('dailyReports.settlements')}
              </th>
              <th rowSpan={2}>{t('dailyReports.utcOffset')}</th>
            </tr>
            <tr>
              {columns.map((name, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the columns never change
                <th key={index} data-align="end">
                  {t(`dailyReports.${name}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{children}</tbody>
          <tfoot>
            <tr>
              <th scope="row">{t('dailyReports.total')}</th>
              <Figures of={totals} currency={currency} />
              <td colSpan={2} />
            </tr>
          </tfoot>
        </table>
      </div>
    </Section>
  );
}
