import type { Currency } from '@hengfu/contract/money';
import type { MerchantTx } from '#db/database.ts';
import { postSeries } from '#ledger/series.ts';
import { refundLegs } from './refunds.sql.ts';
import { dayLegs } from './seed.sql.ts';

/**
 * Posts the payments received at or after `from` and before `until`, and the holds, payments and refunds of payouts, in time
 * order.
 */
export function postDay(
  tx: MerchantTx,
  currency: Currency,
  day: { from: Date; until: Date; payoutIds?: readonly bigint[] },
): Promise<void> {
  return postSeries(tx, currency, dayLegs(tx.merchantId, day));
}

/** Posts what refunds give back. */
export function postRefunds(tx: MerchantTx, currency: Currency, ids: readonly bigint[]): Promise<void> {
  return postSeries(tx, currency, refundLegs(tx.merchantId, ids));
}
