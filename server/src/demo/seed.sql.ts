import type { CollectionStatus } from '@hengfu/contract/collections';
import type { Currency } from '@hengfu/contract/money';
import { sql } from 'kysely';
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
  failureReason: string | null;
}

/** Whether the installation holds any merchant: demo data goes only into an empty one. */
export async function hasMerchants(tx: Tx): Promise<boolean> {
  const row = await tx.query.selectFrom('merchant').select('id').limit(1).executeTakeFirst();
  return row !== undefined;
}

/** Local midnights of the last days in a zone, the oldest first, today's last. */
export async function readMidnights(tx: Tx, zone: string, days: number): Promise<Date[]> {
  const { rows } = await sql<{ at: Date }>`
    select (date_trunc('day', now() at time zone ${zone}) - back * interval '1 day') at time zone ${zone} as at
    from generate_series(${days}::integer, 0, -1) as back`.execute(tx.query);
  return rows.map((row) => row.at);
}

/**
 * Writes a day's orders as they stood at the end: rows, timelines and rollups by sets, and each payment through the
 * ledger's own function, in the order in which they were paid. Refunds follow by {@link postRefunds}.
 */
export async function insertDay(
  tx: MerchantTx,
  orders: readonly DemoOrder[],
  of: { currency: Currency; channel: string },
): Promise<void> {
  const json = JSON.stringify(
    orders.map((order) => ({
      ...order,
      amountMinor: String(order.amountMinor),
      refundedAt: null,
      status: order.refundedAt ? 'success' : order.status,
    })),
  );
  await sql`
    with given as (
      select o.*, to_timestamp(o."createdAt" / 1000.0) as created, to_timestamp(o."paidAt" / 1000.0) as paid,
        (terms_at(${tx.merchantId}, ${of.channel}, to_timestamp(o."createdAt" / 1000.0))) as terms
      from jsonb_to_recordset(${json}::jsonb) as o ("outTradeNo" text, "amountMinor" bigint, subject text, status text,
        "createdAt" bigint, "paidAt" bigint, "failureReason" text)
    ), added as (
      insert into collection (merchant_id, trade_no, out_trade_no, request_hash, status, settlement_status, currency,
        amount_minor, fee_minor, channel, subject, cashier_token, bank_reference, failure_reason, created_at, expires_at, paid_at)
      select ${tx.merchantId}::bigint, new_trade_no('C', created), "outTradeNo", sha256(convert_to("outTradeNo", 'UTF8')), status,
        case when paid is not null then 'unsettled' end, ${of.currency}, "amountMinor",
        case when paid is not null then least("amountMinor", ("amountMinor" * (terms).collection_rate_ppm + 500000) / 1000000
          + (terms).collection_fixed_minor) else 0 end,
        case when status <> 'cancelled' then ${of.channel} end, subject, translate(encode(sha256(convert_to(
          "outTradeNo" || random()::text, 'UTF8')), 'base64'), '+/=', '-_'),
        case when paid is not null then 'BK' || substr(md5("outTradeNo"), 1, 14) end, "failureReason",
        created, created + interval '30 minutes', paid
      from given
      returning *
    ), told as (
      insert into collection_event (merchant_id, collection_id, at, status, reason, detail)
      select merchant_id, id, created_at, 'toBePaid', 'created', null from added
      union all
      select merchant_id, id, paid_at, 'paid', 'channel_paid', null from added where paid_at is not null
      union all
      select merchant_id, id, paid_at, 'success', 'no_callback_wanted', null from added where paid_at is not null
      union all
      select merchant_id, id, least(expires_at, now()), status,
        case status when 'closed' then 'expired' when 'cancelled' then 'cancelled_by_merchant' else 'channel_refused' end,
        failure_reason
      from added where status in ('closed', 'cancelled', 'failed')
    )
    insert into order_rollup (merchant_id, kind, currency, bucket, stripe, created_count, created_amount_minor,
      created_succeeded_count, created_lost_count, done_count, done_amount_minor, fee_minor)
    select merchant_id, 'collection', currency, bucket, 0, sum(created), sum(created_amount), sum(succeeded), sum(lost),
      sum(done), sum(done_amount), sum(fee)
    from (
      select merchant_id, currency, rollup_bucket(created_at) as bucket, 1 as created, amount_minor as created_amount,
        (paid_at is not null)::int as succeeded, (status in ('cancelled', 'closed', 'failed'))::int as lost,
        0 as done, 0 as done_amount, 0 as fee
      from added
      union all
      select merchant_id, currency, rollup_bucket(paid_at), 0, 0, 0, 0, 1, amount_minor, fee_minor
      from added where paid_at is not null) parts
    group by merchant_id, currency, bucket
    on conflict (merchant_id, kind, currency, bucket, stripe) do update set
      created_count = order_rollup.created_count + excluded.created_count,
      created_amount_minor = order_rollup.created_amount_minor + excluded.created_amount_minor,
      created_succeeded_count = order_rollup.created_succeeded_count + excluded.created_succeeded_count,
      created_lost_count = order_rollup.created_lost_count + excluded.created_lost_count,
      done_count = order_rollup.done_count + excluded.done_count,
      done_amount_minor = order_rollup.done_amount_minor + excluded.done_amount_minor,
      fee_minor = order_rollup.fee_minor + excluded.fee_minor`.execute(tx.query);
}

/** Posts the payments that came in from one instant on and before another, through the ledger's own function. */
export async function postPayments(tx: MerchantTx, from: Date, until: Date): Promise<void> {
  await sql`
    select ledger_post('collection_payment', 'collection_payment:' || trade_no, trade_no, currency,
      case when fee_minor = 0 then array['clearing', 'unsettled'] else array['clearing', 'unsettled', 'fees'] end,
      case when fee_minor = 0 then array[channel, ''] else array[channel, '', ''] end,
      case when fee_minor = 0 then array[-amount_minor, amount_minor]
        else array[-amount_minor, amount_minor - fee_minor, fee_minor] end,
      paid_at)
    from (
      select * from collection c
      where c.merchant_id = ${tx.merchantId} and c.paid_at >= ${from} and c.paid_at < ${until}
      order by c.paid_at, c.id) paid`.execute(tx.query);
}

/** The order with a merchant's own number. */
export async function tradeNoOf(tx: MerchantTx, outTradeNo: string): Promise<string | undefined> {
  const row = await tx.query
    .selectFrom('collection')
    .select('trade_no')
    .where('merchant_id', '=', tx.merchantId)
    .where('out_trade_no', '=', outTradeNo)
    .executeTakeFirst();
  return row?.trade_no;
}
