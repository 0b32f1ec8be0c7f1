import type { ChannelRefusal, CollectionRefusal } from '@hengfu/contract/channels';
import type { CollectionStatus } from '@hengfu/contract/collections';
import type { Currency } from '@hengfu/contract/money';
import { type RawBuilder, sql } from 'kysely';
import type { MerchantTx, Tx } from '#db/database.ts';
import { payoutLegs } from './payouts.sql.ts';

/** A demo order before it is written. Times in milliseconds since 1970. */
export interface DemoOrder {
  outTradeNo: string;
  amountMinor: bigint;
  subject: string;
  status: CollectionStatus;
  createdAt: number;
  paidAt: number | null;
  refundedAt: number | null;
  refused: ChannelRefusal<CollectionRefusal> | null;
}

/** Whether the installation holds any merchant: demo data goes only into an empty one. */
export async function hasMerchants(tx: Tx): Promise<boolean> {
  const row = await tx.query.selectFrom('merchant').select('id').limit(1).executeTakeFirst();
  return row !== undefined;
}

/** Reads the local midnights of today and the last days in a zone, oldest first. */
export async function readMidnights(tx: Tx, zone: string, days: number): Promise<Date[]> {
  const { rows } = await sql<{ at: Date }>`
    select (date_trunc('day', now() at time zone ${zone}) - back * interval '1 day') at time zone ${zone} as at
    from generate_series(${days}::integer, 0, -1) as back`.execute(tx.query);
  return rows.map((row) => row.at);
}

/**
 * Inserts orders in their state before any refund, with timelines and at the latest terms, in one statement. {@link postDay} writes
 * the postings.
 */
export async function insertOrders(
  tx: MerchantTx,
  orders: readonly DemoOrder[],
  of: { currency: Currency; channel: string },
): Promise<void> {
  await sql`
    with given as (
      select o.*, moment.*
      from jsonb_to_recordset(${toJson(orders)}::jsonb) as o ("outTradeNo" text, "amountMinor" bigint, subject text, status text,
        "createdAt" bigint, "paidAt" bigint, "failureCode" text, "failureReason" text)
      cross join lateral (values (to_timestamp("createdAt" / 1000.0), to_timestamp("paidAt" / 1000.0))) moment (created, paid)
    ), terms as materialized (
      select * from terms_at(${tx.merchantId}, ${of.channel}, (select max(created) from given))
    ), added as (
      insert into collection (merchant_id, trade_no, out_trade_no, request_hash, status, settlement_status, currency,
        amount_minor, fee_minor, channel, subject, cashier_token, bank_reference, failure_code, failure_reason, created_at,
        expires_at, paid_at)
      select ${tx.merchantId}::bigint, new_trade_no('C', ${tx.merchantId}, created), "outTradeNo", sha256(convert_to("outTradeNo", 'UTF8')), status,
        case when paid is not null then 'unsettled' end, ${of.currency}, "amountMinor",
        case when paid is not null then
          least("amountMinor", order_fee("amountMinor", collection_rate_ppm, collection_fixed_minor)) else 0 end,
        case when status <> 'cancelled' then ${of.channel} end, subject, merchant_lane(${tx.merchantId}) || translate(encode(sha256(convert_to(
          "outTradeNo" || random()::text, 'UTF8')), 'base64'), '+/=', '-_'),
        case when paid is not null then 'BK' || substr(md5("outTradeNo"), 1, 14) end, "failureCode", "failureReason",
        created, created + interval '30 minutes', paid
      from given, terms
      returning *
    )
    insert into collection_event (merchant_id, collection_id, at, status, reason, refusal, detail)
    select merchant_id, id, created_at, 'toBePaid', 'created', null, null from added
    union all
    select merchant_id, id, paid_at, 'paid', 'channel_paid', null, null from added where paid_at is not null
    union all
    select merchant_id, id, paid_at, 'success', 'no_callback_wanted', null, null from added where paid_at is not null
    union all
    select merchant_id, id, least(expires_at, now()), status,
      case status when 'closed' then 'expired' when 'cancelled' then 'cancelled_by_merchant' else 'channel_refused' end,
      failure_code, failure_reason
    from added where status in ('closed', 'cancelled', 'failed')`.execute(tx.query);
}

/** Serializes orders for the insert: amounts as strings, and in their state before any refund. */
function toJson(orders: readonly DemoOrder[]): string {
  return JSON.stringify(
    orders.map(({ refused, ...order }) => ({
      ...order,
      failureCode: refused?.code ?? null,
      failureReason: refused?.words ?? null,
      amountMinor: String(order.amountMinor),
      refundedAt: null,
      status: order.refundedAt ? 'success' : order.status,
    })),
  );
}

/**
 * Counts a merchant's orders and refunds in the rollup, all at once: nothing has counted them while the triggers were off (see
 * {@link withLightTables}).
 */
export async function rollUpOrders(tx: MerchantTx): Promise<void> {
  const { merchantId } = tx;
  const keysOf = (kind: 'collection' | 'payout', settlementStatus: RawBuilder<unknown>) => sql`
    select keys.* from ${sql.table(kind)} o
    cross join lateral order_rollup_keys(o.merchant_id, ${kind}, o.currency, o.created_at, o.paid_at, o.channel, o.status,
      ${settlementStatus}, o.amount_minor, o.fee_minor) keys
    where o.merchant_id = ${merchantId}`;
  await sql`
    select add_to_rollup(array(
      select row(merchant_id, kind, axis, currency, bucket, channel, status, settlement_status, sum(orders), sum(amount_minor),
        sum(fee_minor))::order_rollup_change
      from (
        ${keysOf('collection', sql`o.settlement_status`)} union all ${keysOf('payout', sql`null`)} union all
        select r.merchant_id, 'refund', 'paid', r.currency, rollup_bucket(r.ended_at), r.channel, r.status, '', 1, r.amount_minor,
          r.fee_minor
        from refund r where r.merchant_id = ${merchantId} and r.status = 'refunded') counted
      group by merchant_id, kind, axis, currency, bucket, channel, status, settlement_status))`.execute(
    tx.query,
  );
}

/** Selects the legs for {@link postSeries} of payments received at or after `from` and before `until`, and of payouts. */
export function dayLegs(
  merchantId: bigint,
  { from, until, payoutIds = [] }: { from: Date; until: Date; payoutIds?: readonly bigint[] },
): RawBuilder<unknown> {
  return sql`
    select 'collection_payment:' || c.trade_no, 'collection_payment', c.trade_no, c.paid_at, leg.*
    from collection c
    cross join lateral (values
      ('clearing', c.channel, -c.amount_minor),
      ('unsettled', '', c.amount_minor - c.fee_minor),
      ('fees', '', c.fee_minor)
    ) leg (kind, reference, amount)
    where c.merchant_id = ${merchantId} and c.settlement_status = 'unsettled'
      and c.paid_at >= ${from} and c.paid_at < ${until}
    union all
    ${payoutLegs(merchantId, payoutIds)}`;
}

/** Finds orders' IDs by merchant order number. */
export async function idsOf(tx: MerchantTx, outTradeNos: readonly string[]): Promise<Map<string, bigint>> {
  const rows = await tx.query
    .selectFrom('collection')
    .select(['out_trade_no', 'id'])
    .where('merchant_id', '=', tx.merchantId)
    .where('out_trade_no', '=', sql<string>`any(${[...outTradeNos]}::text[])`)
    .execute();
  return new Map(rows.map((row) => [row.out_trade_no, row.id]));
}
