import type { PaymentLinkRow } from '@hengfu/contract/payment-links';
import { formatCount } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { useMoneyText } from '@hengfu/ui/values/money.tsx';
import type { ReactElement } from 'react';

/** The price of a link: an amount, or the limits of one that the payer chooses. */
export function LinkPrice({ link }: { link: PaymentLinkRow }): ReactElement {
  const t = useT();
  const money = useMoneyText();
  const { amount, least, most, currency } = link;
  if (amount !== null) return <>{money(amount, currency)}</>;
  const limits = { least: money(least ?? '0', currency), most: money(most ?? '0', currency) };
  return <>{t('paymentLinks.priceRange', limits)}</>;
}

/** The uses of a link that are held, of all that it has. */
export function LinkUses({ link }: { link: PaymentLinkRow }): ReactElement {
  const t = useT();
  const language = useLanguage();
  const used = formatCount(link.liveOrders + link.paidOrders, language);
  if (link.maxUses === null) return <>{used}</>;
  return <>{t('paymentLinks.usesOf', { used, max: formatCount(link.maxUses, language) })}</>;
}
