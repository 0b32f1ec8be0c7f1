import type { ChannelRefusal, CollectionRefusal } from '@hengfu/contract/channels';
import type { CollectionStatus } from '@hengfu/contract/collections';
import type { Currency } from '@hengfu/contract/money';
import { type RawBuilder, sql } from 'kysely';
import type { MerchantTx, Tx } from '#db/database.ts';

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
 * Inserts a day's orders in their final state, with timelines, in one statement. {@link postPayments}
 * writes the postings.
 */
export async function insertDay(
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
    ), added as (
      insert into collection (merchant_id, trade_no, out_trade_no, request_hash, status, settlement_status, currency,
        amount_minor, fee_minor, channel, subject, cashier_token, bank_reference, failure_code, failure_reason, created_at,
        expires_at, paid_at)
      select ${tx.merchantId}::bigint, new_trade_no('C', ${tx.merchantId}, created), "outTradeNo", sha256(convert_to("outTradeNo", 'UTF8')), status,
        case when paid is not null then 'unsettled' end, ${of.currency}, "amountMinor",
        case when paid is not null then (
          select least("amountMinor", order_fee("amountMinor", collection_rate_ppm, collection_fixed_minor))
          from terms_at(${tx.merchantId}, ${of.channel}, created)) else 0 end,
        case when status <> 'cancelled' then ${of.channel} end, subject, merchant_lane(${tx.merchantId}) || translate(encode(sha256(convert_to(
          "outTradeNo" || random()::text, 'UTF8')), 'base64'), '+/=', '-_'),
        case when paid is not null then 'BK' || substr(md5("outTradeNo"), 1, 14) end, "failureCode", "failureReason",
        created, created + interval '30 minutes', paid
      from given
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

/** Selects the legs for {@link postSeries} of payments received at or after `from` and before `until`. */
export function paymentLegs(merchantId: bigint, from: Date, until: Date): RawBuilder<unknown> {
  return sql`
    select 'collection_payment:' || c.trade_no, 'collection_payment', c.trade_no, c.paid_at, leg.*
    from collection c
    cross join lateral (values
      ('clearing', c.channel, -c.amount_minor),
      ('unsettled', '', c.amount_minor - c.fee_minor),
      ('fees', '', c.fee_minor)
    ) leg (kind, reference, amount)
    where c.merchant_id = ${merchantId} and c.settlement_status = 'unsettled'
      and c.paid_at >= ${from} and c.paid_at < ${until}`;
}

/** Finds order numbers by merchant order number. */
export async function tradeNosOf(
  tx: MerchantTx,
  outTradeNos: readonly string[],
): Promise<Map<string, string>> {
  const rows = await tx.query
    .selectFrom('collection')
    .select(['out_trade_no', 'trade_no'])
    .where('merchant_id', '=', tx.merchantId)
    .where('out_trade_no', 'in', outTradeNos)
    .execute();
  return new Map(rows.map((row) => [row.out_trade_no, row.trade_no]));
}
