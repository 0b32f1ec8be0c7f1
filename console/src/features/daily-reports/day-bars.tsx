import type { DailyReport } from '@hengfu/contract/daily-reports';
import { type Currency, parseAmount } from '@hengfu/contract/money';
import type { ReactElement } from 'react';
import { formatDay } from '../../platform/format.ts';
import { useLanguage, useT } from '../../platform/i18n.ts';
import { useMoneyText } from '../../ui/money.tsx';
import styles from './daily-reports.module.css';

interface DayBarsProps {
  /** The newest first. */
  days: readonly DailyReport[];
  currency: Currency;
}

/** What came in and went out each day, the oldest first. The table below says the same in figures. */
export function DayBars({ days, currency }: DayBarsProps): ReactElement {
  const t = useT();
  const language = useLanguage();
  const moneyText = useMoneyText();
  const minor = (text: string) => Number(parseAmount(text, currency) ?? 0n);
  const largest = Math.max(
    1,
    ...days.flatMap((day) => [minor(day.collectionAmount), minor(day.paymentAmount)]),
  );
  const height = (text: string) => ({ height: `${(minor(text) / largest) * 100}%` });
  const [newest, oldest] = [days[0], days.at(-1)];
  return (
    <div aria-hidden="true">
      <ul className={styles.legend}>
        <li data-kind="in">{t('dailyReports.collected')}</li>
        <li data-kind="out">{t('dailyReports.paidOut')}</li>
      </ul>
      <div className={styles.bars}>
        {days.toReversed().map((day) => (
          <div
            key={day.date}
            className={styles.day}
            title={[
              formatDay(day.date, language),
              `${t('dailyReports.collected')}: ${moneyText(day.collectionAmount, currency)}`,
              `${t('dailyReports.paidOut')}: ${moneyText(day.paymentAmount, currency)}`,
            ].join('\n')}
          >
            <span data-kind="in" style={height(day.collectionAmount)} />
            <span data-kind="out" style={height(day.paymentAmount)} />
          </div>
        ))}
      </div>
      <div className={styles.ends}>
        <span>{oldest && formatDay(oldest.date, language)}</span>
        <span>{newest && formatDay(newest.date, language)}</span>
      </div>
    </div>
  );
}
