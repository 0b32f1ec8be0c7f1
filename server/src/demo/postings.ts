import type { Currency } from '@hengfu/contract/money';
import type { MerchantTx } from '#db/database.ts';
import { postSeries } from '#ledger/series.ts';
import { payoutLegs } from './payouts.sql.ts';
import { paymentLegs } from './seed.sql.ts';

/** Posts the payments received at or after `from` and before `until`. */
export function postPayments(tx: MerchantTx, currency: Currency, from: Date, until: Date): Promise<void> {
  return postSeries(tx, currency, paymentLegs(tx.merchantId, from, until));
}

/** Posts the holds, payments and refunds of payouts, in time order. */
export function postPayouts(tx: MerchantTx, currency: Currency, ids: readonly bigint[]): Promise<void> {
  return postSeries(tx, currency, payoutLegs(tx.merchantId, ids));
}
