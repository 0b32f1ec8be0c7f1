import { formatAmount, parseAmount } from '@hengfu/contract/money';
import type { WithdrawalTerms } from '@hengfu/contract/withdrawals';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import { formatDecimal } from '../../platform/format.ts';
import { useLanguage, useT } from '../../platform/i18n.ts';
import { useLive } from '../../platform/live.ts';
import { Money, useMoneyText } from '../../ui/money.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Section } from '../../ui/section.tsx';
import { Sums } from '../../ui/sums.tsx';
import { TimeText } from '../../ui/time-text.tsx';
import { sumsOf } from './withdrawal-sums.ts';
import { fundsOptions } from './withdrawals.api.ts';

interface WithdrawalTermsCardProps {
  terms: WithdrawalTerms;
  amount: string;
  unit: 'usdt' | 'home';
}

/** Shows the other currency, fee and total of a withdrawal as its amount is typed, and the terms. */
export function WithdrawalTermsCard({ terms, amount, unit }: WithdrawalTermsCardProps): ReactElement {
  const t = useT();
  const language = useLanguage();
  const money = useMoneyText();
  const { data: funds } = useQuery(fundsOptions);
  useLive(['account'], fundsOptions.queryKey);
  const sums = sumsOf(terms, amount, unit);
  const { currency } = terms;
  const home = (minor: bigint | undefined): ReactNode =>
    minor === undefined ? '–' : <Money amount={formatAmount(minor, currency)} currency={currency} />;
  const usdt = sums && <Money amount={formatAmount(sums.usdtMinor, 'USDT')} currency="USDT" />;
  const usdMinor = sums?.usdMinor;
  const usd = usdMinor !== undefined && <Money amount={formatAmount(usdMinor, 'USD')} currency="USD" />;
  const rows = [
    {
      label: t('payouts.available'),
      value: funds ? <Money amount={funds.available} currency={currency} /> : '–',
    },
    { label: t('withdrawals.usdt'), value: usdt ?? '–' },
    { label: t('withdrawals.usd'), value: usd || '–' },
    { label: t('withdrawals.amount'), value: home(sums?.amountMinor) },
    { label: t('withdrawals.fee'), value: home(sums?.feeMinor) },
    { label: t('withdrawals.total'), value: home(sums?.totalMinor) },
  ];
  const available = funds && parseAmount(funds.available, currency);
  const short = sums && available !== undefined ? sums.totalMinor - available : 0n;
  return (
    <Section isCard title={t('payouts.sums')}>
      <Sums rows={rows}>
        <p>
          {t('withdrawals.rateNow', { rate: formatDecimal(terms.rate, language), currency })}{' '}
          <TimeText at={terms.rateAt} />
        </p>
        <p>
          {t('withdrawals.feeTerms', {
            fee: money(terms.feeUsdt, 'USDT'),
            count: terms.freePerDay,
            left: terms.freeLeft,
          })}
        </p>
      </Sums>
      {short > 0n && (
        <Notice tone="bad">
          {t('payouts.short', { amount: money(formatAmount(short, currency), currency) })}
        </Notice>
      )}
    </Section>
  );
}
