import { formatAmount, parseAmount } from '@hengfu/contract/money';
import type { WithdrawalTerms } from '@hengfu/contract/withdrawals';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { formatDecimal, nothing } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { Section } from '@hengfu/ui/page/section.tsx';
import { Sums } from '@hengfu/ui/page/sums.tsx';
import { Money, useMoneyText } from '@hengfu/ui/values/money.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import { useLive } from '../../platform/live.ts';
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
    minor === undefined ? nothing : <Money amount={formatAmount(minor, currency)} currency={currency} />;
  const usdt = sums && <Money amount={formatAmount(sums.usdtMinor, 'USDT')} currency="USDT" />;
  const usdMinor = sums?.usdMinor;
  const usd = usdMinor !== undefined && <Money amount={formatAmount(usdMinor, 'USD')} currency="USD" />;
  const available = funds && parseAmount(funds.available, currency);
  const remaining = sums && available !== undefined ? available - sums.totalMinor : undefined;
  const isShort = remaining !== undefined && remaining < 0n;
  const rows = [
    { label: t('withdrawals.usdt'), value: usdt ?? nothing },
    { label: t('withdrawals.usd'), value: usd || nothing },
    { label: t('withdrawals.amount'), value: home(sums?.amountMinor) },
    { label: t('withdrawals.fee'), value: home(sums?.feeMinor) },
    { label: t('withdrawals.total'), value: home(sums?.totalMinor), isTotal: true },
    { label: t('payouts.available'), value: home(available) },
    { label: t('payouts.availableAfter'), value: home(isShort ? undefined : remaining) },
  ];
  return (
    <Section isCard title={t('payouts.sums')}>
      <Sums
        rows={rows}
        notice={
          isShort && (
            <Notice tone="bad">
              {t('payouts.short', { amount: money(formatAmount(-remaining, currency), currency) })}
            </Notice>
          )
        }
      >
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
    </Section>
  );
}

/** The cost of a withdrawal in the local currency, fee included; a dash while there is no amount. */
export function WithdrawalTotal({ terms, amount, unit }: WithdrawalTermsCardProps): ReactElement {
  const sums = sumsOf(terms, amount, unit);
  if (!sums) return <>{nothing}</>;
  return <Money amount={formatAmount(sums.totalMinor, terms.currency)} currency={terms.currency} />;
}
