import { sql } from 'kysely';
import type { MerchantTx, Tx } from '#db/database.ts';

/** The kind of thing that a number identifies: a top-up, a withdrawal, a payout, a transfer between merchants, an export, a payment link. */
type NumberKind = 'T' | 'W' | 'P' | 'F' | 'E' | 'L';

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

/**
 * Finds the merchant of an order for somebody who acts for the service. Operators and our staff have different roles in the
 * database, and both can read the views of all merchants.
 */
export async function findMerchantForService(
  tx: Tx,
  orders: 'payout' | 'collection',
  number: string,
): Promise<bigint | undefined> {
  const { rows } = await sql<{ merchant_id: bigint }>`
    select o.merchant_id from ${sql.table(`staff_${orders}`)} o
    where o.trade_no = ${number}
      and o.merchant_id = any (array(select id from staff_merchant where merchant_lane(id) = lane_of_number(${number})))`.execute(
    tx.query,
  );
  return rows[0]?.merchant_id;
}

/** A merchant as our staff see it beside its orders. */
export interface OrderMerchant {
  code: string;
  name: string;
  isTest: boolean;
}

/** Reads the merchant of the transaction. */
export async function readOrderMerchant(tx: MerchantTx): Promise<OrderMerchant> {
  const { code, name, mode } = await tx.query
    .selectFrom('staff_merchant')
    .select(['code', 'name', 'mode'])
    .where('id', '=', tx.merchantId)
    .executeTakeFirstOrThrow();
  return { code, name, isTest: mode === 'test' };
}
