import { type Currency, currencyScale } from '@hengfu/contract/money';

export type NetVerdict = 'equal' | 'different' | 'unknown';

interface Figure {
  amount: string;
  currency: Currency;
}

/**
 * Compares a batch's net amount with the server's sum of its lines, to the last minor unit. Returns `unknown`
 * if the batch has more lines than a list adds up.
 */
export function netVerdict(
  batch: { net: string; currency: Currency },
  lines: { sum?: Figure | undefined; total: { exact: boolean } },
): NetVerdict {
  if (!lines.sum) return lines.total.exact ? 'different' : 'unknown';
  const isEqual =
    lines.sum.currency === batch.currency &&
    minorOf(lines.sum.amount, batch.currency) === minorOf(batch.net, batch.currency);
  return isEqual ? 'equal' : 'different';
}

/** Converts a wire amount to minor units. A batch may be negative, unlike the amounts that people enter. */
function minorOf(amount: string, currency: Currency): bigint {
  const [whole = '', decimals = ''] = amount.replace('-', '').split('.');
  const minor = BigInt(whole + decimals.padEnd(currencyScale[currency], '0'));
  return amount.startsWith('-') ? -minor : minor;
}
