import { formatAmount, parseAmount } from '@hengfu/contract/money';
import { parseRate, worthOf } from '@hengfu/contract/rates';
import type { TopupOptions } from '@hengfu/contract/topups';
import type { ReactElement } from 'react';
import { formatDecimal } from '../../platform/format.ts';
import { useLanguage, useT } from '../../platform/i18n.ts';
import { Money } from '../../ui/money.tsx';
import { Section } from '../../ui/section.tsx';
import { Sums } from '../../ui/sums.tsx';
import { TimeText } from '../../ui/time-text.tsx';

/** Shows what a top-up is worth as its amount is typed, calculated as the server will. */
export function TopupSums({ options, amount }: { options: TopupOptions; amount: string }): ReactElement {
  const t = useT();
  const language = useLanguage();
  const { currency, rate, rateAt, usdRate } = options;
  const usdtMinor = parseAmount(amount.trim(), 'USDT');
  const worth = (of: typeof currency, by: string | null) => {
    const parts = by === null ? undefined : parseRate(by);
    if (usdtMinor === undefined || parts === undefined) return '–';
    return <Money amount={formatAmount(worthOf(usdtMinor, parts, of), of)} currency={of} />;
  };
  const rows = [
    {
      label: t('topups.usdt'),
      value:
        usdtMinor === undefined ? '–' : <Money amount={formatAmount(usdtMinor, 'USDT')} currency="USDT" />,
    },
    { label: t('topups.usd'), value: worth('USD', usdRate) },
    { label: t('topups.amount'), value: worth(currency, rate) },
  ];
  return (
    <Section isCard title={t('topups.sums')}>
      <Sums rows={rows}>
        <p>
          {t('withdrawals.rateNow', { rate: formatDecimal(rate, language), currency })}{' '}
          <TimeText at={rateAt} />
        </p>
        <p>{t('topups.rateHint')}</p>
      </Sums>
    </Section>
  );
}
