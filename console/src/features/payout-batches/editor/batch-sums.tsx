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

/** The totals of a batch, and how much of it the available funds cover. */
export function BatchSums({ checked }: { checked: CheckResult | undefined }): ReactElement {
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
      {checked && <Coverage checked={checked} />}
    </div>
  );
}

/** "312 of 500 rows can be paid now; top up 28,410.00 USDT for the rest." */
export function Coverage({ checked }: { checked: CheckResult }): ReactElement {
  const t = useT();
  const language = useLanguage();
  const moneyText = useMoneyText();
  const { coveredCount, count, short, shortUsdt, currency } = checked;
  if (/^[0.]*$/.test(short)) return <Notice tone="good">{t('payoutBatches.coversAll')}</Notice>;
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
