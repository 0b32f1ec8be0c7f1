import { sql } from 'kysely';
import type { MerchantTx, Tx } from '#db/database.ts';

/** The kind of thing that a number identifies: a top-up, a withdrawal, a payout, a transfer between merchants, an export. */
type NumberKind = 'T' | 'W' | 'P' | 'F' | 'E';

/** Creates a number that no order has yet. */
export async function newTradeNo(tx: MerchantTx, kind: NumberKind): Promise<string> {
  const { rows } = await sql<{ no: string }>`select new_trade_no(${kind}, now()) as no`.execute(tx.prepared);
  const [row] = rows;
  if (!row) throw new Error('no order number was created');
  return row.no;
}

/** Finds the merchant of an order by its number. */
export async function findMerchantOf(
  tx: Tx,
  orders: 'collection' | 'payout' | 'topup' | 'withdrawal',
  tradeNo: string,
): Promise<bigint | undefined> {
  const { rows } = await sql<{ merchant_id: bigint }>`
    select merchant_id from ${sql.table(orders)} where trade_no = ${tradeNo}`.execute(tx.prepared);
  return rows[0]?.merchant_id;
}
