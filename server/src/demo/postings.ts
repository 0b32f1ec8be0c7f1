import type { Currency } from '@hengfu/contract/money';
import type { MerchantTx } from '#db/database.ts';
import { postSeries } from '#ledger/series.ts';
import { payoutLegs } from './payouts.sql.ts';
import { paymentLegs } from './seed.sql.ts';

/** Posts the payments that came in from one instant on and before another. */
export function postPayments(tx: MerchantTx, currency: Currency, from: Date, until: Date): Promise<void> {
  return postSeries(tx, currency, paymentLegs(tx.merchantId, from, until));
}

/** Posts what payouts have moved, in the order in which it happened. */
export function postPayouts(tx: MerchantTx, currency: Currency, ids: readonly bigint[]): Promise<void> {
  return postSeries(tx, currency, payoutLegs(tx.merchantId, ids));
}
