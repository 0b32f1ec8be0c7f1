-- Returns one row per inconsistency between payouts and the ledger; none if all is well.
create or replace function payout_violations() returns table (rule text, detail text)
  language sql stable
  as $$
    select 'payout_is_locked_once', format('%s: %s postings', p.trade_no, count(t.id))
      from payout p
      left join ledger_transfer t on t.merchant_id = p.merchant_id and t.idempotency_key = 'payout_deduction:' || p.trade_no
      group by p.trade_no having count(t.id) <> 1
    union all
    select 'payout_ends_once', format('%s is %s: %s paid, %s given back', p.trade_no, p.status, count(paid.id), count(back.id))
      from payout p
      left join ledger_transfer paid on paid.merchant_id = p.merchant_id and paid.idempotency_key = 'payout_payment:' || p.trade_no
      left join ledger_transfer back on back.merchant_id = p.merchant_id and back.idempotency_key = 'payout_refund:' || p.trade_no
      group by p.trade_no, p.status
      having count(paid.id) <> (p.status = 'processed')::int or count(back.id) <> (p.status = 'rejected')::int
    union all
    select 'posting_has_payout', t.idempotency_key
      from ledger_transfer t
      left join payout p on p.merchant_id = t.merchant_id and p.trade_no = t.subject_no
      where t.type in ('payout_deduction', 'payout_payment', 'payout_refund') and p.id is null
    union all
    select 'deduction_is_amount_and_fee', format('%s: posted %s, payout %s', p.trade_no, e.amount_minor, p.amount_minor + p.fee_minor)
      from payout p
      join ledger_transfer t on t.merchant_id = p.merchant_id and t.idempotency_key = 'payout_deduction:' || p.trade_no
      join ledger_entry e on e.merchant_id = t.merchant_id and e.transfer_id = t.id
      join ledger_account a on a.merchant_id = e.merchant_id and a.id = e.account_id and a.kind = 'locked'
      where e.amount_minor <> p.amount_minor + p.fee_minor
    union all
    select 'payout_rollup_is_sum_of_orders', format('merchant %s bucket %s', coalesce(r.merchant_id, o.merchant_id), coalesce(r.bucket, o.bucket))
      from (
        select merchant_id, currency, bucket, sum(created_count) as created, sum(created_amount_minor) as created_amount,
          sum(created_succeeded_count) as succeeded, sum(created_lost_count) as lost,
          sum(done_count) as done, sum(done_amount_minor) as done_amount, sum(fee_minor) as fee
        from order_rollup where kind = 'payout' group by merchant_id, currency, bucket) r
      full join (
        select merchant_id, currency, bucket, sum(created) as created, sum(created_amount) as created_amount,
          sum(succeeded) as succeeded, sum(lost) as lost, sum(done) as done, sum(done_amount) as done_amount, sum(fee) as fee
        from (
          select merchant_id, currency, rollup_bucket(created_at) as bucket, 1 as created, amount_minor as created_amount,
            (status = 'processed')::int as succeeded, (status = 'rejected')::int as lost, 0 as done, 0 as done_amount, 0 as fee
            from payout
          union all
          select merchant_id, currency, rollup_bucket(paid_at), 0, 0, 0, 0, 1, amount_minor, fee_minor
            from payout where paid_at is not null) parts
        group by merchant_id, currency, bucket) o
      on o.merchant_id = r.merchant_id and o.currency = r.currency and o.bucket = r.bucket
      where (r.created, r.created_amount, r.succeeded, r.lost, r.done, r.done_amount, r.fee)
        is distinct from (o.created, o.created_amount, o.succeeded, o.lost, o.done, o.done_amount, o.fee)
  $$;
