import { feeOf } from '@hengfu/contract/fees';
import { formatAmount, parseAmount } from '@hengfu/contract/money';
import type { PayoutChannel } from '@hengfu/contract/payouts';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import { formatRate } from '../../platform/format.ts';
import { useLanguage, useT } from '../../platform/i18n.ts';
import { useLive } from '../../platform/live.ts';
import { Money, useMoneyText } from '../../ui/money.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Section } from '../../ui/section.tsx';
import { Sums } from '../../ui/sums.tsx';
import { fundsOptions } from './payout-apply.api.ts';

/** Decimals of a rate in parts per million, shown as a percentage. */
const rateDecimals = 4;

/** Shows the fee and total of a payout as its amount is typed, and whether the available funds suffice. */
export function PayoutSums({ channel, amount }: { channel: PayoutChannel; amount: string }): ReactElement {
  const t = useT();
  const language = useLanguage();
  const moneyText = useMoneyText();
  const { data: funds } = useQuery(fundsOptions);
  useLive(['account'], fundsOptions.queryKey);
  const sums = sumsOf(channel, amount);
  const { currency } = channel;
  const available = funds && parseAmount(funds.available, currency);
  const remaining = sums && available !== undefined ? available - sums.totalMinor : undefined;
  const money = (amount: string | undefined): ReactNode =>
    amount === undefined ? '–' : <Money amount={amount} currency={currency} />;
  const rows = [
    { label: t('payouts.available'), value: money(funds?.available) },
    { label: t('payouts.amount'), value: money(sums && formatAmount(sums.amountMinor, currency)) },
    { label: t('payouts.fee'), value: money(sums && formatAmount(sums.feeMinor, currency)) },
    { label: t('payouts.total'), value: money(sums && formatAmount(sums.totalMinor, currency)) },
  ];
  return (
    <Section isCard title={t('payouts.sums')}>
      <Sums rows={rows}>
        <p>
          {t('payouts.terms', {
            rate: formatRate(channel.ratePpm / 1_000_000, language, rateDecimals),
            fixed: moneyText(channel.fixed, currency),
          })}
        </p>
      </Sums>
      {remaining !== undefined && remaining < 0n && (
        <Notice tone="bad">
          {t('payouts.short', { amount: moneyText(formatAmount(-remaining, currency), currency) })}
        </Notice>
      )}
    </Section>
  );
}

/** Returns amount, fee and total in minor units; undefined if the text is not a positive amount. */
export function sumsOf({ currency, ratePpm, fixed }: PayoutChannel, amount: string) {
  const amountMinor = parseAmount(amount.trim(), currency);
  if (amountMinor === undefined || amountMinor <= 0n) return undefined;
  const feeMinor = feeOf(amountMinor, { ratePpm, fixedMinor: parseAmount(fixed, currency) ?? 0n });
  return { amountMinor, feeMinor, totalMinor: amountMinor + feeMinor };
}
