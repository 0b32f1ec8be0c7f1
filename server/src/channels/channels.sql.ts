import { sql } from 'kysely';
import type { MerchantTx, Tx } from '#db/database.ts';

/** How a channel is served to a merchant. */
export interface Serving {
  /** The name of the adapter. */
  adapter: string;
  /** The payment method for which the adapter asks. */
  method: string;
}

/**
 * Finds the adapter that serves a channel to a merchant, whether the channel is open or not: orders in progress are completed
 * either way. A test merchant is served by the channel's test adapter, and never by the one that moves real money. Undefined for a live
 * merchant where the adapter is a sandbox that serves test merchants alone, also for orders that began before that was so.
 */
export function findServing(tx: MerchantTx, channel: string): Promise<Serving | undefined> {
  return tx.prepared
    .selectFrom('channel as ch')
    .select([adapterFor(tx).as('adapter'), methodFor(tx).as('method')])
    .where('ch.code', '=', channel)
    .where(servesMode(tx))
    .executeTakeFirst();
}

/** Selects the adapter that serves the channel `ch` to the merchant of a transaction. */
export function adapterFor({ merchantId }: MerchantTx) {
  return sql<string>`case when is_test_merchant(${merchantId}::bigint) then ch.test_adapter else ch.adapter end`;
}

/**
 * Selects the payment method of the channel `ch`. For test merchants it has a name of its own, so that the sandbox bank keeps their orders out
 * of the channel's statement: only live orders are reconciled.
 */
export function methodFor({ merchantId }: MerchantTx) {
  return sql<string>`case when is_test_merchant(${merchantId}::bigint) then 'TEST_' || ch.code else ch.code end`;
}

/** A condition: the channel `ch` serves the merchant of a transaction in its mode. In production, a sandbox serves no live merchant. */
export function servesMode({ merchantId }: MerchantTx) {
  return sql<boolean>`(ch.is_live or is_test_merchant(${merchantId}::bigint))`;
}

/** The adapters of a channel, and whether the one for live merchants may decide about real orders. */
export interface AdapterNames {
  live: string;
  test: string;
  isLive: boolean;
}

/** Finds the names of the adapters that serve a channel to live and to test merchants. */
export function findAdapterNames(tx: Tx, channel: string): Promise<AdapterNames | undefined> {
  return tx.prepared
    .selectFrom('channel')
    .select(['adapter as live', 'test_adapter as test', 'is_live as isLive'])
    .where('code', '=', channel)
    .executeTakeFirst();
}

/** Whether an order that a channel reports on belongs to a test merchant. */
export async function isTestOrder(tx: Tx, orders: 'collection' | 'payout', number: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from ${sql.table(orders)} o
      where o.merchant_id = any (merchants_in_lane(lane_of_number(${number}))) and o.trade_no = ${number}
        and is_test_merchant(o.merchant_id)) as found`.execute(tx.prepared);
  return rows[0]?.found === true;
}

/** Sets whether the sandbox bank serves live merchants, too. Every other adapter does, whatever a channel's adapter was before. */
export async function updateSandbox(tx: Tx, isLive: boolean): Promise<void> {
  await sql`
    update channel set is_live = (adapter <> 'sandbox' or ${isLive})
    where is_live <> (adapter <> 'sandbox' or ${isLive})`.execute(tx.query);
}
