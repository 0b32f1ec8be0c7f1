import type { Step } from '#db/guards.ts';

/** The merchant to fill, and the number of its orders. */
export interface Load {
  merchantId: bigint;
  collections: number;
  payouts: number;
  /** Days until now over which the orders are spread. */
  days: number;
}

const payees = 10_000;
/** Collections cost 0.6 %, payouts 0.2 %, rounded half up: the terms of makeMerchants. */

/** Inserts a settlement for each midnight; {@link batchSumsOf} adds their sums. */
export function settlementsOf({ merchantId, days }: Load): Step[] {
  return [
    [
      `insert into settlement (merchant_id, settlement_no, status, currency, order_count, refund_count, amount_minor,
        fee_minor, refunded_minor, cut_off_at, created_at, settled_at)
      select $1, new_trade_no('S', $1, at), 'settled', 'CNY', 0, 0, 0, 0, 0, at, at, at
      from (select date_trunc('day', now()) - back * interval '1 day' as at
        from generate_series($2::integer, 0, -1) back) midnights`,
      merchantId,
      days - 1,
    ],
  ];
}

/**
 * Inserts orders `from` to `to`. Of a hundred, 78 succeed, 12 expire, 4 are canceled, 3 fail, 1
 * is refunded before its settlement, 1 waits for its callback, and 1 is unpaid if recent. A fixed hash picks
 * them, so that every load creates the same orders.
 */
export function ordersOf({ merchantId, collections, days }: Load, from: number, to: number): Step {
  return [
    `insert into collection (merchant_id, trade_no, out_trade_no, request_hash, status, settlement_status, currency,
      amount_minor, fee_minor, channel, subject, cashier_token, bank_reference, created_at, expires_at, paid_at,
      refunded_at, refunded_minor, refunded_fee_minor, never_settles, settlement_id)
    select $1, new_trade_no('C', $1, made), 'L' || lpad(n::text, 9, '0'), decode(md5(n::text), 'hex'), o.status,
      case when paid is not null then case when batch.id is null then 'unsettled' else 'settled' end end,
      'CNY', amount, case when paid is not null then order_fee(amount, 6000, 0) else 0 end, 'CN_BANK', 'Order ' || n,
      merchant_lane($1) || md5('token' || n), case when paid is not null then 'BK' || md5(n::text) end,
      made, made + interval '30 minutes', paid, refunded, case when refunded is null then 0 else amount end,
      case when refunded is null then 0 else order_fee(amount, 6000, 0) end, refunded is not null, batch.id
    from (
      select n, made, amount, paid, case when dice = 97 then paid + interval '2 minutes' end as refunded,
        case when dice < 78 then 'success' when dice < 90 then 'closed' when dice < 94 then 'cancelled'
          when dice < 97 then 'failed' when dice = 97 then 'refunded' when dice = 98 then 'paid'
          when made > now() - interval '25 minutes' then 'toBePaid' else 'closed' end as status
      from (
        select n, made, (100 + (hash & 1023) * (hash >> 10 & 1023))::bigint as amount, dice,
          case when dice < 78 or dice in (97, 98) then made + interval '3 minutes' end as paid
        from (
          select n, hashint8(n) & 2147483647 as hash, (hashint8(n + 7) & 2147483647) % 100 as dice,
            (now() - interval '6 minutes' - ($4::bigint - 1 - n) * ($5::integer * interval '1 day' / $4::bigint))::timestamptz(3) as made
          from generate_series($2::bigint, $3::bigint - 1) n) hashed) dated) o
    left join settlement batch on batch.merchant_id = $1 and o.refunded is null
      and batch.cut_off_at = date_trunc('day', o.paid) + interval '1 day'`,
    merchantId,
    from,
    to,
    collections,
    days,
  ];
}

/** Inserts the refunds of refunded orders, and counts them in the rollup. */
export function refundsOf({ merchantId }: Load): Step[] {
  return [
    [
      `insert into refund (merchant_id, refund_no, collection_id, status, currency, amount_minor, fee_minor, channel, requested_by,
        created_at, sent_at, ended_at, never_settles)
      select merchant_id, trade_no || '-R1', id, 'refunded', currency, amount_minor, fee_minor, channel, 'service', refunded_at,
        refunded_at, refunded_at, true
      from collection where merchant_id = $1 and refunded_at is not null`,
      merchantId,
    ],
    [
      `insert into order_rollup
      select merchant_id, 'refund', 'paid', currency, rollup_bucket(ended_at), channel, status, '', 0, count(*), sum(amount_minor),
        sum(fee_minor)
      from refund where merchant_id = $1 group by 1, 4, 5, 6, 7`,
      merchantId,
    ],
  ];
}

/** Inserts payouts from the second day on. Of a hundred, 96 are processed, 3 rejected, 1 open if recent. */
export function payoutsOf({ merchantId, payouts, days }: Load): Step[] {
  return [
    [
      `insert into payout (merchant_id, trade_no, out_trade_no, request_hash, status, currency, amount_minor, fee_minor,
        channel, payee, payee_account, account_key, bank, bank_name, branch_name, source, created_by, bank_reference,
        reject_reason, created_at, sent_at, paid_at, rejected_at)
      select $1, new_trade_no('P', $1, made), 'LP' || lpad(n::text, 9, '0'), decode(md5(n::text), 'hex'),
        case when rejected then 'rejected' when waits then 'pendingSettlement' else 'processed' end, 'CNY', amount,
        order_fee(amount, 2000, 0), 'CN_BANK', 'Payee ' || party, account, 'CN_BANK ICBC ' || account, 'ICBC',
        'Industrial and Commercial Bank of China', 'Main branch', 'openApi', 'key:ak_shop-1', 'BP' || md5(n::text),
        case when rejected then 'account closed' end, made, made + interval '1 second',
        case when not rejected and not waits then made + interval '2 minutes' end,
        case when rejected then made + interval '2 minutes' end
      from (
        select *, dice < 3 as rejected, dice = 99 and made > now() - interval '1 hour' as waits,
          (6222020000000000000 + party)::text as account
        from (
          select n, 100 + ((hashint8(n) & 2147483647) % 20000)::bigint as amount,
            (hashint8(n + 3) & 2147483647) % ${payees} as party, (hashint8(n + 7) & 2147483647) % 100 as dice,
            (now() - interval '6 minutes' - ($2::bigint - 1 - n) * (($3::integer - 2) * interval '1 day' / $2::bigint))::timestamptz(3) as made
          from generate_series(0, $2::bigint - 1) n) hashed) o`,
      merchantId,
      payouts,
      days,
    ],
    [
      `insert into payout_party (merchant_id, search_key, field, value)
      select merchant_id, search_key(payee), 'payee', payee
      from (select distinct merchant_id, payee from payout where merchant_id = $1) payees
      union all
      select merchant_id, search_key(substring(account_key from '[^ ]*$')), 'account_key', account_key
      from (select distinct merchant_id, account_key from payout where merchant_id = $1) accounts`,
      merchantId,
    ],
    [
      `insert into payout_event (merchant_id, payout_id, at, status, reason)
      select merchant_id, id, created_at, 'pending', 'created' from payout where merchant_id = $1
      union all
      select merchant_id, id, coalesce(paid_at, rejected_at, sent_at), status,
        case status when 'processed' then 'channel_paid' when 'rejected' then 'channel_refused' else 'sent' end
      from payout where merchant_id = $1`,
      merchantId,
    ],
  ];
}

/** Sets the sums of settlements, once their orders are inserted. */
export function batchSumsOf({ merchantId }: Load): Step[] {
  return [
    [
      `update settlement s set order_count = o.count, amount_minor = o.amount, fee_minor = o.fee
      from (select settlement_id, count(*) as count, sum(amount_minor) as amount, sum(fee_minor) as fee
        from collection where merchant_id = $1 and settlement_id is not null group by settlement_id) o
      where s.merchant_id = $1 and s.id = o.settlement_id`,
      merchantId,
    ],
  ];
}

/** Builds the rollups of orders, which triggers would keep if the loader had not disabled them. */
export function rollupsOf({ merchantId }: Load, table: 'collection' | 'payout'): Step[] {
  const settlementStatus = table === 'collection' ? 'o.settlement_status' : 'null';
  return [
    [
      `insert into order_rollup
      select keys.merchant_id, keys.kind, axis, keys.currency, bucket, keys.channel, keys.status, keys.settlement_status, 0,
        sum(orders), sum(keys.amount_minor), sum(keys.fee_minor)
      from ${table} o
      cross join lateral order_rollup_keys(o.merchant_id, '${table}', o.currency, o.created_at, o.paid_at, o.channel, o.status,
        ${settlementStatus}, o.amount_minor, o.fee_minor) keys
      where o.merchant_id = $1 group by 1, 2, 3, 4, 5, 6, 7, 8`,
      merchantId,
    ],
  ];
}

/** Inserts the timelines of collections: creation and final status. */
export function eventsOf({ merchantId }: Load): Step[] {
  return [
    [
      `insert into collection_event (merchant_id, collection_id, at, status, reason)
      select merchant_id, id, created_at, 'toBePaid', 'created' from collection where merchant_id = $1`,
      merchantId,
    ],
    [
      `insert into collection_event (merchant_id, collection_id, at, status, reason)
      select merchant_id, id, coalesce(refunded_at, paid_at, expires_at), status,
        case status when 'closed' then 'expired' when 'cancelled' then 'cancelled' when 'failed' then 'channel_refused'
          else 'channel_paid' end
      from collection where merchant_id = $1 and status <> 'toBePaid'`,
      merchantId,
    ],
  ];
}
