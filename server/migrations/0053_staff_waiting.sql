-- The things that wait for our staff, for the first page of the back office. A withdrawal that its own merchant still has to approve is
-- not among them.
-- locks: a view changes no row.

-- Each predicate is that of an index over all merchants (topup_open, withdrawal_open, payout_under_way, staff_request_by_state).
create view staff_waiting as
  select case t.status when 'approved' then 'topupCredit' else 'topupReview' end as kind, t.merchant_id, m.code as merchant_code,
    t.trade_no as number, t.usdt_minor as amount_minor, 'USDT' as currency, t.created_at as since
  from topup t join merchant m on m.id = t.merchant_id
  where t.status in ('pendingReview', 'approved')
  union all
  select case w.status when 'approved' then 'withdrawalPayment' else 'withdrawalReview' end, w.merchant_id, m.code,
    w.trade_no, w.usdt_minor, 'USDT', w.created_at
  from withdrawal w join merchant m on m.id = w.merchant_id
  where w.status in ('pendingReview', 'approved') and (w.approval_state is null or w.approval_state = 'approved')
  union all
  select 'payoutUnknown', p.merchant_id, m.code, p.trade_no, p.amount_minor, p.currency, coalesce(p.sent_at, p.created_at)
  from payout p join merchant m on m.id = p.merchant_id
  where p.status in ('pending', 'processing', 'pendingSettlement') and p.status = 'pendingSettlement'
  union all
  select 'incident', null, null, coalesce(i.title_en, i.component), null, null, i.started_at
  from status_incident i
  where i.ended_at is null
  union all
  select 'staffRequest', r.merchant_id, m.code, r.id::text, null, null, r.created_at
  from staff_waiting_request r left join merchant m on m.id = r.merchant_id
  union all
  select 'unmatched', null, null, u.channel || ' ' || u.oldest_day, null, null, u.since
  from staff_unmatched u;
call give_view('staff_waiting');
