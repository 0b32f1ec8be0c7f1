import { sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';

/** Returns the number of the request for an order. */
export async function requestOf(tx: MerchantTx, tradeNo: string): Promise<string> {
  const { rows } = await sql<{ number: string }>`
    select request_no as number from approval_request
    where merchant_id = ${tx.merchantId} and subject_no = ${tradeNo}`.execute(tx.query);
  if (!rows[0]) throw new Error(`nobody asked for approval of ${tradeNo}`);
  return rows[0].number;
}

/** Lets the time of a request be over. */
export async function letExpire(tx: MerchantTx, requestNo: string): Promise<void> {
  await sql`
    update approval_request set expires_at = now() - interval '1 millisecond'
    where merchant_id = ${tx.merchantId} and request_no = ${requestNo}`.execute(tx.query);
}

/** Returns the ID of a member with a role. */
export async function memberWith(tx: MerchantTx, role: string): Promise<bigint> {
  const { rows } = await sql<{ id: bigint }>`
    select user_id as id from membership
    where merchant_id = ${tx.merchantId} and roles = array[${role}::text] order by user_id limit 1`.execute(
    tx.query,
  );
  if (!rows[0]) throw new Error(`the demo merchant has nobody with the role ${role}`);
  return rows[0].id;
}

/** Returns the number of the last unsettled order from an amount on, in minor units; undefined if there is none. */
export async function unsettledFrom(tx: MerchantTx, amountMinor: bigint): Promise<string | undefined> {
  const { rows } = await sql<{ tradeNo: string }>`
    select trade_no as "tradeNo" from collection
    where merchant_id = ${tx.merchantId} and status = 'success' and settlement_status = 'unsettled' and amount_minor >= ${amountMinor}
      and refunding_minor = 0 and refunded_minor = 0
    order by id desc limit 1`.execute(tx.query);
  return rows[0]?.tradeNo;
}
