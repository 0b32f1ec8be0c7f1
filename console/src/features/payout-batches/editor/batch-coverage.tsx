import { buttonClass } from '@hengfu/ui/controls/button.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { formatCount } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { useMoneyText } from '@hengfu/ui/values/money.tsx';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { CheckResult } from './batch-draft.ts';

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
