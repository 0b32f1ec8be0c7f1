import { type Currency, formatAmount } from '@hengfu/contract/money';
import type { Page } from '#domain/list.sql.ts';

/** Maps a page to its wire format: rows mapped, the sum in the caller's currency. */
export function listReplyOf<R, W>(page: Page<R>, currency: Currency, toWire: (row: R) => W) {
  const { rows, sumMinor, at, ...rest } = page;
  const sum = sumMinor === undefined ? undefined : { currency, amount: formatAmount(sumMinor, currency) };
  return { ...rest, data: rows.map(toWire), sum, at: at.toISOString() };
}
