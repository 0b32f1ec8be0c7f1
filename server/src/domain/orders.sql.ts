import { sql } from 'kysely';
import type { MerchantTx, Tx } from '#db/database.ts';

/** The kind of thing that a number identifies: a top-up, a withdrawal, a payout, a transfer between merchants, an export. */
type NumberKind = 'T' | 'W' | 'P' | 'F' | 'E';

/** Creates a number that no order has yet. */
export async function newTradeNo(tx: MerchantTx, kind: NumberKind): Promise<string> {
  const { rows } = await sql<{
    no: string;
  }>`select new_trade_no(${kind}, ${tx.merchantId}, now()) as no`.execute(tx.prepared);
  const [row] = rows;
  if (!row) throw new Error('no order number was created');
  return row.no;
}

const numberColumn = {
  collection: 'trade_no',
  payout: 'trade_no',
  topup: 'trade_no',
  withdrawal: 'trade_no',
  payout_batch: 'batch_no',
} as const;

/** Finds the merchant of an order or a batch by its number, among the few merchants that share the number's lane. */
export async function findMerchantOf(
  tx: Tx,
  orders: keyof typeof numberColumn,
  number: string,
): Promise<bigint | undefined> {
  const { rows } = await sql<{ merchant_id: bigint }>`
    select merchant_id from ${sql.table(orders)}
    where merchant_id = any (merchants_in_lane(lane_of_number(${number})))
      and ${sql.ref(numberColumn[orders])} = ${number}`.execute(tx.prepared);
  return rows[0]?.merchant_id;
}
