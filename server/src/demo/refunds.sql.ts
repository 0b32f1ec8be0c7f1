import { sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';

/** Lists the last unsettled orders of which nothing was given back, that are more than a few minutes old. */
export async function unsettledOrders(
  tx: MerchantTx,
  limit: number,
): Promise<{ tradeNo: string; amountMinor: bigint }[]> {
  const { rows } = await sql<{ tradeNo: string; amountMinor: bigint }>`
    select trade_no as "tradeNo", amount_minor as "amountMinor" from collection
    where merchant_id = ${tx.merchantId} and status = 'success' and settlement_status = 'unsettled'
      and refunding_minor = 0 and refunded_minor = 0 and paid_at < now() - interval '10 minutes' and amount_minor >= 1000
    order by id desc limit ${limit}`.execute(tx.query);
  return rows;
}
