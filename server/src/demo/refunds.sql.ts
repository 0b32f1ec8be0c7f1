import { type RawBuilder, sql } from 'kysely';
import type { MerchantTx } from '#db/database.ts';

/** A payment that is given back as a whole; `at` in milliseconds since 1970. */
export interface DueRefund {
  collectionId: bigint;
  at: number;
}

/**
 * Gives payments back as a whole, in their final state, with timelines, in one statement: in time order, as far as the unsettled funds
 * cover them. Returns the IDs of the refunds; {@link postRefunds} writes the postings.
 */
export async function insertRefunds(
  tx: MerchantTx,
  due: readonly DueRefund[],
  freeMinor: bigint,
): Promise<bigint[]> {
  const { merchantId } = tx;
  const ids = due.map(({ collectionId }) => collectionId);
  const moments = due.map(({ at }) => new Date(at));
  const { rows } = await sql<{ id: bigint }>`
    with due as (
      select c.*, given.at, sum(c.amount_minor - c.fee_minor) over (order by given.at, c.id) as running
      from unnest(${ids}::bigint[], ${moments}::timestamptz[]) given (id, at)
      join collection c on c.merchant_id = ${merchantId} and c.id = given.id
    ), covered as (
      select * from due where running <= ${freeMinor}::bigint
    ), moved as (
      update collection c set status = 'refunded', refunded_at = covered.at, refunded_minor = c.amount_minor,
        refunded_fee_minor = c.fee_minor, never_settles = c.settlement_id is null
      from covered where c.merchant_id = ${merchantId} and c.id = covered.id
    ), told as (
      insert into collection_event (merchant_id, collection_id, at, status, reason)
      select merchant_id, id, at, 'refunded', 'refunded' from covered
    )
    insert into refund (merchant_id, refund_no, request_hash, collection_id, status, currency, amount_minor, fee_minor, channel,
      requested_by, created_at, ended_at, never_settles)
    select merchant_id, trade_no || '-R1', sha256(convert_to(trade_no || at, 'UTF8')), id, 'refunded', currency, amount_minor, fee_minor,
      channel, 'service', at, at, settlement_id is null
    from covered order by at, id
    returning id`.execute(tx.query);
  return rows.map(({ id }) => id);
}

/** Selects the legs of refunds for {@link postSeries}. */
export function refundLegs(merchantId: bigint, ids: readonly bigint[]): RawBuilder<unknown> {
  return sql`
    select 'collection_refund:' || r.refund_no, 'collection_refund', c.trade_no, r.ended_at, leg.*
    from unnest(${[...ids]}::bigint[]) chosen (id)
    join refund r on r.merchant_id = ${merchantId} and r.id = chosen.id
    join collection c on c.merchant_id = ${merchantId} and c.id = r.collection_id
    cross join lateral (values
      ('unsettled', '', r.fee_minor - r.amount_minor),
      ('fees', '', -r.fee_minor),
      ('clearing', r.channel, r.amount_minor)
    ) leg (kind, reference, amount)`;
}

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
