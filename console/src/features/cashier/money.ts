import type { Currency } from '@hengfu/contract/money';
import type { Language } from '@hengfu/contract/session';
import { localeOf } from './language.tsx';

/**
 * An amount as the reader of a language writes it: "1234.50" CNY → "¥1,234.50". `Intl` takes the decimal text exactly
 * and knows each currency's decimals; USDT is no ISO currency, so its name follows the figure. platform/format.ts does
 * the same for the console but brings the contract's validator along, which a payer's phone can do without.
 */
export function payableAmount(amount: string, currency: Currency, language: Language): string {
  if (!isDecimal(amount)) return `${amount} ${currency}`;
  const locale = localeOf[language];
  if (currency === 'USDT') {
    const figure = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 6 });
    return `${figure.format(amount)}\u00a0USDT`;
  }
  const options = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const;
  return new Intl.NumberFormat(locale, options).format(amount);
}

function isDecimal(text: string): text is `${number}` {
  return /^\d+(\.\d+)?$/.test(text);
}
