import { type Currency, currencyScale, parseAmount } from '@hengfu/contract/money';
import { indexAfterKey } from '@hengfu/ui/browser/index-after-key.ts';
import { formatCompactMoney } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { useMoneyText } from '@hengfu/ui/values/money.tsx';
import { type KeyboardEvent, type ReactElement, useId, useState } from 'react';
import { scaleOf } from './bar-scale.ts';
import styles from './report-bars.module.css';

/** The totals of a day or month. */
export interface Bar {
  name: string;
  /** Told apart from the others. */
  mark?: 'today' | 'weekend' | undefined;
  collectionAmount: string;
  paymentAmount: string;
}

interface ReportBarsProps {
  title: string;
  /** Newest first. */
  bars: readonly Bar[];
  currency: Currency;
}

/**
 * Charts the amounts collected and paid out, oldest first. The pointer and the arrow keys show the figures of a day, which a
 * screen reader announces; the table below has them all.
 */
export function ReportBars({ title, bars: newestFirst, currency }: ReportBarsProps): ReactElement {
  const t = useT();
  const language = useLanguage();
  const [shown, setShown] = useState<number>();
  const hintId = useId();
  const bars = newestFirst.toReversed();
  const unit = 10 ** currencyScale[currency];
  const value = (amount: string) => Number(parseAmount(amount, currency) ?? 0n) / unit;
  const { top, lines } = scaleOf(
    Math.max(0, ...bars.flatMap((bar) => [value(bar.collectionAmount), value(bar.paymentAmount)])),
  );
  const percent = (of: number) => `${(of / top) * 100}%`;
  const turn = (event: KeyboardEvent) => {
    const next = indexAfterKey(event.key, shown, bars.length);
    if (next === undefined) return;
    event.preventDefault();
    setShown(next);
  };
  return (
    <figure className={styles.chart}>
      <ul className={styles.legend} aria-hidden="true">
        <li data-kind="in">{t('dailyReports.collected')}</li>
        <li data-kind="out">{t('dailyReports.paidOut')}</li>
      </ul>
      <div className={styles.plot}>
        <div className={styles.lines} aria-hidden="true">
          {[0, ...lines].map((line) => (
            <span key={line} style={{ bottom: percent(line) }}>
              {formatCompactMoney(line, currency, language)}
            </span>
          ))}
        </div>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form. */}
        <div
          role="group"
          aria-label={title}
          aria-describedby={hintId}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move along the days of the one picture that this is.
          tabIndex={0}
          className={styles.bars}
          onKeyDown={turn}
          onBlur={() => setShown(undefined)}
          onPointerLeave={() => setShown(undefined)}
        >
          {bars.map((bar, index) => (
            <div
              key={bar.name}
              className={styles.bar}
              data-mark={bar.mark}
              data-shown={index === shown}
              aria-hidden="true"
              onPointerEnter={() => setShown(index)}
            >
              <span data-kind="in" style={{ height: percent(value(bar.collectionAmount)) }} />
              <span data-kind="out" style={{ height: percent(value(bar.paymentAmount)) }} />
            </div>
          ))}
          <Tip bars={bars} index={shown} currency={currency} />
        </div>
      </div>
      <div className={styles.ends} aria-hidden="true">
        <span>{bars[0]?.name}</span>
        <span>{bars.at(-1)?.name}</span>
      </div>
      <p id={hintId} hidden>
        {t('dailyReports.chartHint')}
      </p>
    </figure>
  );
}

interface TipProps {
  bars: readonly Bar[];
  index: number | undefined;
  currency: Currency;
}

/** The figures of the bar under the pointer, or at the keyboard's place. */
function Tip({ bars, index = -1, currency }: TipProps): ReactElement {
  const t = useT();
  const moneyText = useMoneyText();
  const bar = bars[index];
  const at = (index + 0.5) / bars.length;
  return (
    <div
      role="status"
      className={styles.tip}
      hidden={!bar}
      data-side={at > 0.5 ? 'start' : 'end'}
      style={{ left: `${at * 100}%` }}
    >
      {bar && (
        <>
          <strong>{bar.mark === 'today' ? `${bar.name} · ${t('ui.preset.today')}` : bar.name}</strong>
          <p data-kind="in">
            <span>{t('dailyReports.collected')}</span> <b>{moneyText(bar.collectionAmount, currency)}</b>
          </p>
          <p data-kind="out">
            <span>{t('dailyReports.paidOut')}</span> <b>{moneyText(bar.paymentAmount, currency)}</b>
          </p>
        </>
      )}
    </div>
  );
}
