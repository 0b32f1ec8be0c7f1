import type { DailyReport, DailyTotals, dailyReportEndpoints } from '@hengfu/contract/daily-reports';
import type { ReplyOf } from '@hengfu/contract/endpoint';
import type { Currency } from '@hengfu/contract/money';
import { Link } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import { formatDay } from '../../platform/format.ts';
import { useLanguage, useT } from '../../platform/i18n.ts';
import { Count } from '../../ui/count.tsx';
import { Money } from '../../ui/money.tsx';
import { Section } from '../../ui/section.tsx';
import { TimeText } from '../../ui/time-text.tsx';
import styles from './daily-reports.module.css';
import { instantsOf } from './report-search.ts';

interface ReportTableProps {
  report: ReplyOf<typeof dailyReportEndpoints.list>;
  /** Beside the heading. */
  extra: ReactNode;
}

/** The days, the newest first; each figure leads to the list of just its orders. */
export function ReportTable({
  report: { data: days, totals, currency },
  extra,
}: ReportTableProps): ReactElement {
  const t = useT();
  return (
    <Section isCard title={t('dailyReports.title')} extra={extra}>
      <div className={styles.scroll}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th rowSpan={2}>{t('dailyReports.date')}</th>
              <th colSpan={3} scope="colgroup" data-align="center">
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
              {(['amount', 'count', 'fee', 'amount', 'count', 'fee', 'amount', 'settlementAt'] as const).map(
                (name, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the columns never change
                  <th key={index} data-align="end">
                    {t(`dailyReports.${name}`)}
                  </th>
                ),
              )}
            </tr>
          </thead>
          <tbody>
            {days.map((day) => (
              <DayRow key={day.date} day={day} currency={currency} />
            ))}
          </tbody>
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

function DayRow({ day, currency }: { day: DailyReport; currency: Currency }): ReactElement {
  const language = useLanguage();
  const { from, to } = instantsOf(day.date, day.utcOffset);
  return (
    <tr>
      <th scope="row">{formatDay(day.date, language)}</th>
      <Figures
        of={day}
        currency={currency}
        collections={(figure) => (
          <Link to="/collection/payments" search={{ paidFrom: from, paidTo: to }}>
            {figure}
          </Link>
        )}
        payouts={(figure) => (
          <Link to="/behalfPay/transfers" search={{ paidFrom: from, paidTo: to }}>
            {figure}
          </Link>
        )}
        settlements={(figure) => (
          <Link to="/collection/Settlements" search={{ settledFrom: from, settledTo: to }}>
            {figure}
          </Link>
        )}
      />
      <td data-align="end">
        <TimeText at={day.settlementAt} style="minute" />
      </td>
      <td>{day.utcOffset}</td>
    </tr>
  );
}

type Wrap = (figure: ReactNode) => ReactNode;
const plain: Wrap = (figure) => figure;

interface FiguresProps {
  of: DailyTotals;
  currency: Currency;
  collections?: Wrap;
  payouts?: Wrap;
  settlements?: Wrap;
}

function Figures({
  of,
  currency,
  collections = plain,
  payouts = plain,
  settlements = plain,
}: FiguresProps): ReactElement {
  const money = (amount: string) => <Money amount={amount} currency={currency} />;
  return (
    <>
      <td data-align="end">{collections(money(of.collectionAmount))}</td>
      <td data-align="end">{collections(<Count of={of.collectionCount} />)}</td>
      <td data-align="end">{money(of.collectionFee)}</td>
      <td data-align="end">{payouts(money(of.paymentAmount))}</td>
      <td data-align="end">{payouts(<Count of={of.paymentCount} />)}</td>
      <td data-align="end">{money(of.paymentFee)}</td>
      <td data-align="end">{settlements(money(of.settlementAmount))}</td>
    </>
  );
}
