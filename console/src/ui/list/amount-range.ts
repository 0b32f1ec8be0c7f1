import { type Currency, parseAmount } from '@hengfu/contract/money';

/** Which end of an amount range is wrong. */
export type AmountFault = 'from' | 'to' | 'order';

/** What people type around the digits ("1 000,", "¥") is not guessed at, but grouping commas are plain. */
export function normalAmount(text: string): string {
  return text.trim().replaceAll(/,(?=\d{3}(\D|$))/g, '');
}

/** What is wrong with a pair of amounts; both ends are in the range, either may be left open. */
export function amountFault(from: string, to: string, currency: Currency): AmountFault | undefined {
  const low = from === '' ? undefined : parseAmount(from, currency);
  const high = to === '' ? undefined : parseAmount(to, currency);
  if (from !== '' && low === undefined) return 'from';
  if (to !== '' && high === undefined) return 'to';
  return low !== undefined && high !== undefined && high < low ? 'order' : undefined;
}
