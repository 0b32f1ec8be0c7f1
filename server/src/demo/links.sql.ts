import type { MerchantTx } from '#db/database.ts';

/** Chooses the channel of an order. Returns its number, and its amount in minor units. */
export function chooseChannel(
  tx: MerchantTx,
  cashierToken: string,
  channel: string,
): Promise<{ tradeNo: string; amount: bigint }> {
  return tx.query
    .updateTable('collection')
    .set({ channel })
    .where('merchant_id', '=', tx.merchantId)
    .where('cashier_token', '=', cashierToken)
    .returning(['trade_no as tradeNo', 'amount_minor as amount'])
    .executeTakeFirstOrThrow();
}
