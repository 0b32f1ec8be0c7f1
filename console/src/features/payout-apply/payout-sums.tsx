import { feeOf } from '@hengfu/contract/fees';
import { formatAmount, parseAmount } from '@hengfu/contract/money';
import type { PayoutChannel } from '@hengfu/contract/payouts';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { formatDuration, formatRate, nothing } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { Section } from '@hengfu/ui/page/section.tsx';
import { Sums } from '@hengfu/ui/page/sums.tsx';
import { Money, useMoneyText } from '@hengfu/ui/values/money.tsx';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import { useLive } from '../../platform/live.ts';
import { arrivalOf } from './arrival.rules.ts';
import { arrivedOptions, fundsOptions } from './payout-apply.api.ts';

/** Decimals of a rate in parts per million, shown as a percentage. */
const rateDecimals = 4;

/** Shows the fee and total of a payout as its amount is typed, and what remains of the available funds. */
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
  const isShort = remaining !== undefined && remaining < 0n;
  const money = (amount: string | undefined): ReactNode =>
    amount === undefined ? nothing : <Money amount={amount} currency={currency} />;
  const rows = [
    { label: t('payouts.amount'), value: money(sums && formatAmount(sums.amountMinor, currency)) },
    { label: t('payouts.fee'), value: money(sums && formatAmount(sums.feeMinor, currency)) },
    { label: t('payouts.total'), value: <PayoutTotal channel={channel} amount={amount} />, isTotal: true },
    { label: t('payouts.available'), value: money(funds?.available) },
    {
      label: t('payouts.availableAfter'),
      value: money(remaining === undefined || isShort ? undefined : formatAmount(remaining, currency)),
    },
  ];
  return (
    <Section isCard title={t('payouts.sums')}>
      <Sums
        rows={rows}
        notice={
          isShort && (
            <Notice tone="bad">
              {t('payouts.short', { amount: moneyText(formatAmount(-remaining, currency), currency) })}
            </Notice>
          )
        }
      >
        <p>
          {t('payouts.terms', {
            rate: formatRate(channel.ratePpm / 1_000_000, language, rateDecimals),
            fixed: moneyText(channel.fixed, currency),
          })}
        </p>
        <UsualArrival channel={channel} />
      </Sums>
    </Section>
  );
}

/** The cost of a payout, fee included; a dash while there is no amount. */
export function PayoutTotal({ channel, amount }: { channel: PayoutChannel; amount: string }): ReactElement {
  const sums = sumsOf(channel, amount);
  if (!sums) return <>{nothing}</>;
  return <Money amount={formatAmount(sums.totalMinor, channel.currency)} currency={channel.currency} />;
}

/** How long the merchant's last payouts through the channel took. */
function UsualArrival({ channel }: { channel: PayoutChannel }): ReactElement | null {
  const t = useT();
  const language = useLanguage();
  const { data: arrived = [] } = useQuery(arrivedOptions(channel.code));
  const arrival = arrivalOf(arrived);
  if (!arrival) return null;
  return (
    <p>
      {t('payouts.usualArrival', {
        count: arrival.count,
        duration: formatDuration(arrival.medianMs, language),
      })}
    </p>
  );
}

/** Returns amount, fee and total in minor units; undefined if the text is not a positive amount. */
export function sumsOf({ currency, ratePpm, fixed }: PayoutChannel, amount: string) {
  const amountMinor = parseAmount(amount.trim(), currency);
  if (amountMinor === undefined || amountMinor <= 0n) return undefined;
  const feeMinor = feeOf(amountMinor, { ratePpm, fixedMinor: parseAmount(fixed, currency) ?? 0n });
  return { amountMinor, feeMinor, totalMinor: amountMinor + feeMinor };
}
