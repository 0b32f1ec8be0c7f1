import type { DailyReport, DailyTotals, MonthlyReport } from '@hengfu/contract/daily-reports';
import type { Currency } from '@hengfu/contract/money';
import { Icon } from '@hengfu/ui/controls/icon.tsx';
import { formatDay, formatMonth } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { Count } from '@hengfu/ui/values/count.tsx';
import { Money } from '@hengfu/ui/values/money.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactElement, type ReactNode, useState } from 'react';
import { useLive } from '../../platform/live.ts';
import { Failure } from '../../shared/failure.tsx';
import { reportOptions } from './daily-reports.api.ts';
import styles from './daily-reports.module.css';
import { instantsOf } from './report-search.ts';

/** Number of columns of the table, including the row headers. */
const columnCount = 11;

interface DayRowProps {
  day: DailyReport;
  currency: Currency;
  /** Shown below its month. */
  isPart?: boolean;
}

/** A day. Each figure links to the list of exactly its orders. */
export function DayRow({ day, currency, isPart = false }: DayRowProps): ReactElement {
  const language = useLanguage();
  return (
    <tr data-of={isPart ? 'month' : undefined}>
      <th scope="row">{formatDay(day.date, language)}</th>
      <LinkedFigures of={day} days={{ from: day.date, to: day.date }} currency={currency} />
    </tr>
  );
}

/** A month, and its days while it is expanded. */
export function MonthRows({ month, currency }: { month: MonthlyReport; currency: Currency }): ReactElement {
  const language = useLanguage();
  const [isOpen, setIsOpen] = useState(false);
  const { from, to, utcOffset } = month;
  return (
    <>
      <tr>
        <th scope="row">
          <button
            type="button"
            className={styles.month}
            aria-expanded={isOpen}
            onClick={() => setIsOpen(!isOpen)}
          >
            <Icon name="chevronRight" />
            <span>{formatMonth(month.month, language)}</span>
          </button>
          {!isWhole(month) && (
            <span className={styles.part}>
              {formatDay(from, language)} – {formatDay(to, language)}
            </span>
          )}
        </th>
        <LinkedFigures of={month} days={{ from, to }} currency={currency} />
      </tr>
      {isOpen && <DaysOfMonth query={{ offset: utcOffset, from, to }} />}
    </>
  );
}

function isWhole({ month, from, to }: MonthlyReport): boolean {
  const [year, number] = month.split('-').map(Number);
  const days = new Date(Date.UTC(year ?? 0, number ?? 0, 0)).getUTCDate();
  return from === `${month}-01` && to === `${month}-${days}`;
}

function DaysOfMonth({ query }: { query: { offset: string; from: string; to: string } }): ReactElement {
  const t = useT();
  const options = reportOptions(query);
  const { data: report, error, refetch } = useQuery(options);
  useLive(['dashboard', 'settlements'], options.queryKey);
  const note = (content: ReactNode) => (
    <tr data-of="month">
      <td colSpan={columnCount}>{content}</td>
    </tr>
  );
  return (
    <>
      {error && note(<Failure error={error} isStale={report !== undefined} onRetry={() => void refetch()} />)}
      {!report && !error && note(<span aria-busy="true">{t('ui.loading')}</span>)}
      {report?.data.map((day) => (
        <DayRow key={day.date} day={day} currency={report.currency} isPart />
      ))}
    </>
  );
}

interface LinkedFiguresProps {
  of: DailyTotals & Pick<DailyReport, 'settlementAt' | 'utcOffset'>;
  days: { from: string; to: string };
  currency: Currency;
}

function LinkedFigures({ of, days, currency }: LinkedFiguresProps): ReactElement {
  const { from, to } = instantsOf(days, of.utcOffset);
  return (
    <>
      <Figures
        of={of}
        currency={currency}
        collections={(figure) => (
          <Link to="/collection/payments" search={{ paidFrom: from, paidTo: to }}>
            {figure}
          </Link>
        )}
        refunds={(figure) => (
          <Link to="/collection/refunds" search={{ status: 'refunded', endedFrom: from, endedTo: to }}>
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
        <TimeText at={of.settlementAt} style="minute" />
      </td>
      <td>{of.utcOffset}</td>
    </>
  );
}

type Wrap = (figure: ReactNode) => ReactNode;
const plain: Wrap = (figure) => figure;

interface FiguresProps {
  of: DailyTotals;
  currency: Currency;
  collections?: Wrap;
  refunds?: Wrap;
  payouts?: Wrap;
  settlements?: Wrap;
}

/** The figures of a row. */
export function Figures({
  of,
  currency,
  collections = plain,
  refunds = plain,
  payouts = plain,
  settlements = plain,
}: FiguresProps): ReactElement {
  const money = (amount: string) => <Money amount={amount} currency={currency} />;
  return (
    <>
      <td data-align="end">{collections(money(of.collectionAmount))}</td>
      <td data-align="end">{collections(<Count of={of.collectionCount} />)}</td>
      <td data-align="end">{money(of.collectionFee)}</td>
      <td data-align="end">{refunds(money(of.refundAmount))}</td>
      <td data-align="end">{payouts(money(of.paymentAmount))}</td>
      <td data-align="end">{payouts(<Count of={of.paymentCount} />)}</td>
      <td data-align="end">{money(of.paymentFee)}</td>
      <td data-align="end">{settlements(money(of.settlementAmount))}</td>
    </>
  );
}
