import { type Currency, parseAmount } from '@hengfu/contract/money';

/** The invalid end of an amount range; `order`: the ends are reversed. */
export type AmountFault = 'from' | 'to' | 'order';

/**
 * Removes grouping commas and surrounding blanks. Leaves anything else ("1 000,", "¥") for validation to
 * reject.
 */
export function normalAmount(text: string): string {
  return text.trim().replaceAll(/,(?=\d{3}(\D|$))/g, '');
}

/** Validates an amount range. Both ends are inclusive, and either may be open (''). Undefined if valid. */
export function amountFault(from: string, to: string, currency: Currency): AmountFault | undefined {
  const min = from === '' ? undefined : parseAmount(from, currency);
  const max = to === '' ? undefined : parseAmount(to, currency);
  if (from !== '' && min === undefined) return 'from';
  if (to !== '' && max === undefined) return 'to';
  return min !== undefined && max !== undefined && max < min ? 'order' : undefined;
}
