import { type Currency, formatAmount, parseAmount } from '@hengfu/contract/money';
import { parseRate, worthOf } from '@hengfu/contract/rates';
import type { TopupOptions } from '@hengfu/contract/topups';
import { formatDecimal, nothing } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { Section } from '@hengfu/ui/page/section.tsx';
import { Sums } from '@hengfu/ui/page/sums.tsx';
import { Money, useMoneyText } from '@hengfu/ui/values/money.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import type { ReactElement } from 'react';

interface TopupSumsProps {
  options: TopupOptions;
  amount: string;
  /** The wallet on the chosen network. */
  wallet: TopupOptions['wallets'][number] | undefined;
}

/** Shows what a top-up is worth as its amount is typed, and the least that the chosen network accepts. */
export function TopupSums({ options, amount, wallet }: TopupSumsProps): ReactElement {
  const t = useT();
  const language = useLanguage();
  const money = useMoneyText();
  const { currency, rate, rateAt } = options;
  const worth = (of: Currency) => <TopupWorth options={options} amount={amount} currency={of} />;
  const rows = [
    { label: t('topups.usdt'), value: worth('USDT') },
    { label: t('topups.usd'), value: worth('USD') },
    { label: t('topups.amount'), value: worth(currency), isTotal: true },
  ];
  return (
    <Section isCard title={t('topups.sums')}>
      <Sums rows={rows}>
        <p>
          {t('withdrawals.rateNow', { rate: formatDecimal(rate, language), currency })}{' '}
          <TimeText at={rateAt} />
        </p>
        <p>{t('topups.rateHint')}</p>
        {wallet && (
          <p>
            {t('ui.labelled', {
              label: t(`withdrawals.networks.${wallet.network}`),
              value: t('withdrawals.minimum', { amount: money(wallet.minimumUsdt, 'USDT') }),
            })}
          </p>
        )}
      </Sums>
    </Section>
  );
}

interface TopupWorthProps {
  options: TopupOptions;
  amount: string;
  currency: Currency;
}

/** The value of an amount of USDT in a currency, calculated as the server will; a dash if it is not known. */
export function TopupWorth({ options, amount, currency }: TopupWorthProps): ReactElement {
  const usdtMinor = parseAmount(amount.trim(), 'USDT');
  const rate = currency === 'USD' ? options.usdRate : options.rate;
  const parts = rate === null ? undefined : parseRate(rate);
  if (usdtMinor === undefined || parts === undefined) return <>{nothing}</>;
  const worthMinor = currency === 'USDT' ? usdtMinor : worthOf(usdtMinor, parts, currency);
  return <Money amount={formatAmount(worthMinor, currency)} currency={currency} />;
}
