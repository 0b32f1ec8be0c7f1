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
        -- Says the same: otherwise, all of a merchant's orders may be read for each posting.
        and p.trade_no = substr(t.idempotency_key, length('payout_deduction:') + 1)
      join ledger_entry e on e.merchant_id = t.merchant_id and e.transfer_id = t.id
      join ledger_account a on a.merchant_id = e.merchant_id and a.id = e.account_id and a.kind = 'locked'
      where e.amount_minor <> p.amount_minor + p.fee_minor
    union all
    select 'payout_is_sent_when_approved', format('%s is %s, its approval is %s', p.trade_no, p.status, p.approval_state)
      from payout p
      where p.approval_state is not null and case p.approval_state
        when 'approved' then false when 'waiting' then p.status <> 'pending' else p.status <> 'rejected' end
    union all
    select 'approval_of_payout_is_that_of_its_request', format('%s: payout %s, request %s', p.trade_no, p.approval_state, r.state)
      from payout p
      left join approval_request r on r.merchant_id = p.merchant_id and r.kind = 'payout' and r.subject_no = p.trade_no
      left join payout_batch b on b.merchant_id = p.merchant_id and b.batch_no = p.batch_no
      where b.approval_state is null and p.approval_state is distinct from r.state
    union all
    -- It waits a little longer than its batch, and is refused by itself if an approver or the service's staff says so.
    select 'payout_follows_its_batch', format('%s: payout %s, batch %s', p.trade_no, p.approval_state, b.approval_state)
      from payout p
      join payout_batch b on b.merchant_id = p.merchant_id and b.batch_no = p.batch_no
      left join approval_request r on r.merchant_id = p.merchant_id and r.kind = 'batch' and r.subject_no = p.batch_no
      where b.approval_state is not null and (coalesce(p.approval_state, '') not in ('waiting', 'refused', b.approval_state)
        or p.approval_state = 'waiting' and r.ended_at < now() - interval '1 hour'
        or exists (select from approval_request own
          where own.merchant_id = p.merchant_id and own.kind = 'payout' and own.subject_no = p.trade_no))
    union all
    select 'payout_rollup_is_sum_of_orders', format('merchant %s %s %s %s: %s %s %s', merchant_id, axis, currency, bucket, channel,
        status, settlement_status)
      from (
        select merchant_id, axis, currency, bucket, channel, status, settlement_status, sum(orders) as orders,
          sum(amount_minor) as amount, sum(fee_minor) as fee
        from order_rollup where kind = 'payout' group by 1, 2, 3, 4, 5, 6, 7
        having (sum(orders), sum(amount_minor), sum(fee_minor)) <> (0, 0, 0)) r
      full join (
        select merchant_id, axis, currency, bucket, channel, status, settlement_status, sum(orders) as orders,
          sum(amount_minor) as amount, sum(fee_minor) as fee
        from (
          select keys.* from payout o
          cross join lateral order_rollup_keys(o.merchant_id, 'payout', o.currency, o.created_at, o.paid_at,
            o.channel, o.status, null, o.amount_minor, o.fee_minor) keys) parts
        group by 1, 2, 3, 4, 5, 6, 7) o
      using (merchant_id, axis, currency, bucket, channel, status, settlement_status)
      where (r.orders, r.amount, r.fee) is distinct from (o.orders, o.amount, o.fee)
  $$;
