import { type Currency, parseAmount } from '@hengfu/contract/money';
import type { PhraseKey } from '@hengfu/phrases/phrases';
import type { ReactElement } from 'react';
import { useT } from '../../platform/i18n.ts';
import { useMoneyText } from '../../ui/money.tsx';
import styles from './daily-reports.module.css';

/** The totals of a day or month. */
interface Bar {
  name: string;
  collectionAmount: string;
  paymentAmount: string;
}

interface ReportBarsProps {
  /** Newest first. */
  bars: readonly Bar[];
  currency: Currency;
}

/** Charts the amounts collected and paid out, oldest first. The table below has the figures. */
export function ReportBars({ bars, currency }: ReportBarsProps): ReactElement {
  const t = useT();
  const moneyText = useMoneyText();
  const minor = (text: string) => Number(parseAmount(text, currency) ?? 0n);
  const labelled = (label: PhraseKey, amount: string) =>
    t('ui.labelled', { label: t(label), value: moneyText(amount, currency) });
  const largest = Math.max(
    1,
    ...bars.flatMap((bar) => [minor(bar.collectionAmount), minor(bar.paymentAmount)]),
  );
  const height = (text: string) => ({ height: `${(minor(text) / largest) * 100}%` });
  return (
    <div aria-hidden="true">
      <ul className={styles.legend}>
        <li data-kind="in">{t('dailyReports.collected')}</li>
        <li data-kind="out">{t('dailyReports.paidOut')}</li>
      </ul>
      <div className={styles.bars}>
        {bars.toReversed().map((bar) => (
          <div
            key={bar.name}
            className={styles.bar}
            title={[
              bar.name,
              labelled('dailyReports.collected', bar.collectionAmount),
              labelled('dailyReports.paidOut', bar.paymentAmount),
            ].join('\n')}
          >
            <span data-kind="in" style={height(bar.collectionAmount)} />
            <span data-kind="out" style={height(bar.paymentAmount)} />
          </div>
        ))}
      </div>
      <div className={styles.ends}>
        <span>{bars.at(-1)?.name}</span>
        <span>{bars[0]?.name}</span>
      </div>
    </div>
  );
}
