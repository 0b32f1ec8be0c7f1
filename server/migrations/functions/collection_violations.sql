-- Returns one row per inconsistency between collections, settlements and the ledger; none if all is well.
create or replace function collection_violations() returns table (rule text, detail text)
  language sql stable
  as $$
    select 'paid_order_has_one_payment', format('%s: %s postings', c.trade_no, count(t.id))
      from collection c
      left join ledger_transfer t on t.merchant_id = c.merchant_id and t.idempotency_key = 'collection_payment:' || c.trade_no
      where c.paid_at is not null group by c.trade_no having count(t.id) <> 1
    union all
    select 'payment_has_paid_order', t.subject_no
      from ledger_transfer t
      left join collection c on c.merchant_id = t.merchant_id and c.trade_no = t.subject_no
      where t.type = 'collection_payment' and c.paid_at is null
    union all
    select 'payment_is_amount_less_fee', format('%s: posted %s, order %s', c.trade_no, e.amount_minor, c.amount_minor - c.fee_minor)
      from collection c
      join ledger_transfer t on t.merchant_id = c.merchant_id and t.idempotency_key = 'collection_payment:' || c.trade_no
      join ledger_entry e on e.merchant_id = t.merchant_id and e.transfer_id = t.id
      join ledger_account a on a.merchant_id = e.merchant_id and a.id = e.account_id and a.kind = 'unsettled'
      where e.amount_minor <> c.amount_minor - c.fee_minor
    union all
    select 'unsettled_is_sum_of_orders',
        format('merchant %s %s: ledger %s, orders %s', o.merchant_id, o.currency, coalesce(a.balance_minor, 0), o.waiting)
      from (
        -- Unsettled funds: payments that no settlement has moved yet, except those refunded before they were in a batch,
        -- minus refunds of batched payments that no settlement has deducted yet.
        select c.merchant_id, c.currency, coalesce(sum(c.amount_minor - c.fee_minor) filter (
              where c.settlement_status <> 'settled' and (c.refund_requested_at is null or c.settlement_id is not null)), 0)
          - coalesce(sum(c.amount_minor - c.fee_minor) filter (
              where c.refund_requested_at is not null and c.settlement_id is not null
                and r.status is distinct from 'settled'), 0) as waiting
        from collection c
        left join settlement r on r.merchant_id = c.merchant_id and r.id = c.refund_settlement_id
        where c.paid_at is not null group by c.merchant_id, c.currency) o
      left join ledger_account a on a.merchant_id = o.merchant_id and a.currency = o.currency and a.kind = 'unsettled'
      where coalesce(a.balance_minor, 0) <> o.waiting
    union all
    select 'settlement_is_sum_of_its_orders', format('%s: batch %s, orders %s', s.settlement_no, s.net_minor, o.net)
      from settlement s
      cross join lateral (
        select coalesce(sum(case when c.settlement_id = s.id then c.amount_minor - c.fee_minor else 0 end), 0)
          - coalesce(sum(case when c.refund_settlement_id = s.id then c.amount_minor - c.fee_minor else 0 end), 0) as net
        from collection c where c.merchant_id = s.merchant_id and (c.settlement_id = s.id or c.refund_settlement_id = s.id)) o
      where o.net <> s.net_minor
    union all
    select 'settlement_is_what_was_posted', format('%s: batch %s, posted %s', s.settlement_no, s.net_minor, e.amount_minor)
      from settlement s
      left join ledger_transfer t on t.merchant_id = s.merchant_id and t.idempotency_key = 'collection_settlement:' || s.settlement_no
      left join (
        ledger_entry e
        join ledger_account a on a.merchant_id = e.merchant_id and a.id = e.account_id and a.kind = 'available')
        on e.merchant_id = t.merchant_id and e.transfer_id = t.id
      where s.status = 'settled' and coalesce(e.amount_minor, 0) <> s.net_minor
    union all
    select 'rollup_is_sum_of_orders', format('merchant %s bucket %s', coalesce(r.merchant_id, o.merchant_id), coalesce(r.bucket, o.bucket))
      from (
        select merchant_id, currency, bucket, sum(created_count) as created, sum(created_amount_minor) as created_amount,
          sum(created_succeeded_count) as succeeded, sum(created_lost_count) as lost,
          sum(done_count) as done, sum(done_amount_minor) as done_amount, sum(fee_minor) as fee,
          sum(reversed_count) as reversed, sum(reversed_amount_minor) as reversed_amount
        from order_rollup where kind = 'collection' group by merchant_id, currency, bucket) r
      full join (
        select merchant_id, currency, bucket, sum(created) as created, sum(created_amount) as created_amount,
          sum(succeeded) as succeeded, sum(lost) as lost, sum(done) as done, sum(done_amount) as done_amount,
          sum(fee) as fee, sum(reversed) as reversed, sum(reversed_amount) as reversed_amount
        from (
          select merchant_id, currency, rollup_bucket(created_at) as bucket, 1 as created, amount_minor as created_amount,
            (paid_at is not null)::int as succeeded, (status in ('cancelled', 'closed', 'failed'))::int as lost,
            0 as done, 0 as done_amount, 0 as fee, 0 as reversed, 0 as reversed_amount from collection
          union all
          select merchant_id, currency, rollup_bucket(paid_at), 0, 0, 0, 0, 1, amount_minor, fee_minor, 0, 0
            from collection where paid_at is not null
          union all
          select merchant_id, currency, rollup_bucket(refunded_at), 0, 0, 0, 0, 0, 0, 0, 1, amount_minor
            from collection where refunded_at is not null) parts
        group by merchant_id, currency, bucket) o
      on o.merchant_id = r.merchant_id and o.currency = r.currency and o.bucket = r.bucket
      where (r.created, r.created_amount, r.succeeded, r.lost, r.done, r.done_amount, r.fee, r.reversed, r.reversed_amount)
        is distinct from
        (o.created, o.created_amount, o.succeeded, o.lost, o.done, o.done_amount, o.fee, o.reversed, o.reversed_amount)
  $$;
