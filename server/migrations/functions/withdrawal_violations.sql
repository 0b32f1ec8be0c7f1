-- Returns one row per inconsistency between withdrawals and the ledger, or of locked funds; none if all is well.
create or replace function withdrawal_violations() returns table (rule text, detail text)
  language sql stable
  as $$
    select 'withdrawal_ends_once', format('%s is %s: %s locked, %s paid, %s given back', w.trade_no, w.status,
        count(locked.id), count(paid.id), count(back.id))
      from withdrawal w
      left join ledger_transfer locked on locked.merchant_id = w.merchant_id and locked.idempotency_key = 'withdrawal:' || w.trade_no
      left join ledger_transfer paid on paid.merchant_id = w.merchant_id and paid.idempotency_key = 'withdrawal_payment:' || w.trade_no
      left join ledger_transfer back on back.merchant_id = w.merchant_id and back.idempotency_key = 'withdrawal_refund:' || w.trade_no
      group by w.trade_no, w.status
      having count(locked.id) <> 1 or count(paid.id) <> (w.status = 'paid')::int or count(back.id) <> (w.status = 'rejected')::int
    union all
    select 'posting_has_withdrawal', t.idempotency_key
      from ledger_transfer t
      left join withdrawal w on w.merchant_id = t.merchant_id and w.trade_no = t.subject_no
      where t.type in ('withdrawal', 'withdrawal_payment', 'withdrawal_refund') and w.id is null
    union all
    select 'withdrawal_is_reviewed_when_approved', format('%s is %s, its approval is %s', w.trade_no, w.status, w.approval_state)
      from withdrawal w
      where w.approval_state is not null and case w.approval_state
        when 'approved' then false when 'waiting' then w.status <> 'pendingReview' else w.status <> 'rejected' end
    union all
    select 'approval_of_withdrawal_is_that_of_its_request', format('%s: withdrawal %s, request %s', w.trade_no, w.approval_state, r.state)
      from withdrawal w
      left join approval_request r on r.merchant_id = w.merchant_id and r.kind = 'withdrawal' and r.subject_no = w.trade_no
      where w.approval_state is distinct from r.state
    union all
    select 'locked_is_sum_of_orders', format('merchant %s %s: ledger %s, orders %s', l.merchant_id, l.currency, l.balance_minor, coalesce(o.open, 0))
      from ledger_account l
      left join (
        select merchant_id, currency, sum(minor) as open from (
          select merchant_id, currency, amount_minor + fee_minor as minor from payout
            where status in ('pending', 'processing', 'pendingSettlement')
          union all
          select merchant_id, currency, amount_minor + fee_minor from withdrawal where status in ('pendingReview', 'approved')) open
        group by merchant_id, currency) o
        on o.merchant_id = l.merchant_id and o.currency = l.currency
      where l.kind = 'locked' and l.balance_minor <> coalesce(o.open, 0)
  $$;
