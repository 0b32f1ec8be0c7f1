import { type Currency, formatAmount, parseAmount } from '@hengfu/contract/money';

/** An amount as the server writes it: a plain decimal number, with a sign where it can be negative. */
export interface AmountOf {
  amount: string;
  currency: Currency;
}

/** Adds up amounts of one currency; undefined without any, or if they are of several currencies. */
export function sumAmounts(amounts: readonly AmountOf[]): AmountOf | undefined {
  const currency = amounts[0]?.currency;
  if (currency === undefined) return undefined;
  let total = 0n;
  for (const { amount, currency: other } of amounts) {
    const isNegative = amount.startsWith('-');
    const minor = parseAmount(isNegative ? amount.slice(1) : amount, currency);
    if (other !== currency || minor === undefined) return undefined;
    total += isNegative ? -minor : minor;
  }
  return { amount: formatAmount(total, currency), currency };
}
