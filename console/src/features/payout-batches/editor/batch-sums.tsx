import { Link } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import { formatCount, nothing } from '../../../platform/format.ts';
import { useLanguage, useT } from '../../../platform/i18n.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { Count } from '../../../ui/count.tsx';
import { Money, useMoneyText } from '../../../ui/money.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Sums } from '../../../ui/sums.tsx';
import type { CheckResult } from './batch-draft.ts';

interface BatchSumsProps {
  checked: CheckResult | undefined;
  /** Rows with errors, which the totals leave out. */
  wrongCount: number;
}

/** The totals of a batch, and how much of it the available funds cover. */
export function BatchSums({ checked, wrongCount }: BatchSumsProps): ReactElement {
  const t = useT();
  const money = (amount: string | undefined): ReactNode =>
    checked && amount !== undefined ? <Money amount={amount} currency={checked.currency} /> : nothing;
  return (
    <div>
      <Sums
        rows={[
          { label: t('payouts.available'), value: money(checked?.available) },
          { label: t('payoutBatches.count'), value: checked ? <Count of={checked.count} /> : nothing },
          { label: t('payouts.amount'), value: money(checked?.amount) },
          { label: t('payouts.fee'), value: money(checked?.fee) },
          { label: t('payouts.total'), value: money(checked?.total) },
        ]}
      />
      {checked && <Coverage checked={checked} wrongCount={wrongCount} />}
    </div>
  );
}

interface CoverageProps {
  checked: CheckResult;
  /** Rows with errors. Nothing is said about all rows while there are any. */
  wrongCount?: number;
}

/** "312 of 500 rows can be paid now; top up 28,410.00 USDT for the rest." */
export function Coverage({ checked, wrongCount = 0 }: CoverageProps): ReactElement | null {
  const t = useT();
  const language = useLanguage();
  const moneyText = useMoneyText();
  const { coveredCount, short, shortUsdt, currency } = checked;
  const count = Math.max(coveredCount, checked.count - wrongCount);
  if (isZero(short) && wrongCount === 0) return <Notice tone="good">{t('payoutBatches.coversAll')}</Notice>;
  if (isZero(short))
    return isZero(checked.amount) ? null : <Notice tone="calm">{t('payoutBatches.coversCorrect')}</Notice>;
  const localAmount = moneyText(short, currency);
  const amount = shortUsdt === null ? localAmount : `${moneyText(shortUsdt, 'USDT')} (${localAmount})`;
  const figures = { covered: formatCount(coveredCount, language), count: formatCount(count, language) };
  const way = (
    <Link to="/recharge/topup" className={buttonClass('outline')}>
      {t('payoutBatches.topUp')}
    </Link>
  );
  return (
    <Notice tone="waiting" action={way}>
      {t('payoutBatches.covers', { ...figures, amount })}
    </Notice>
  );
}

function isZero(amount: string): boolean {
  return /^[0.]*$/.test(amount);
}
